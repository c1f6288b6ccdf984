import type { SearchParams } from "#app/_lib/search-params";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Status } from "#app/_ui/badge.tsx";
import type { ListedAccess } from "#server/oauth/faction-access/show-access";
import { isFactionScope, scopes } from "#server/scopes";

export const factionAppsPath = "/faction/apps";
export const factionAppsActPath = `${factionAppsPath}/act`;

/** An application without a decision of its own follows the faction's default. */
export function accessStateOf(
  { blocked, decision }: ListedAccess,
  onlyChosen: boolean,
): AccessState {
  if (blocked) return decision ? "blocked" : "not-chosen";
  return decision && onlyChosen ? "chosen" : "allowed";
}

const words = {
  allowed: { tone: "good", label: "Allowed" },
  chosen: { tone: "good", label: "Chosen" },
  blocked: { tone: "bad", label: "Blocked" },
  "not-chosen": { tone: "bad", label: "Blocked, not chosen" },
} as const;

type AccessState = keyof typeof words;

export const AccessStatus = ({ state }: { state: AccessState }) => (
  <Status tone={words[state].tone}>{words[state].label}</Status>
);

/** Shortens "Your faction's attacks" to "Attacks". */
export const factionDataInWords = (held: ListedAccess["scopes"]): string =>
  held.includes("faction")
    ? "All of the faction's data"
    : scopes
        .filter(({ name }) => isFactionScope(name) && held.includes(name))
        .map(({ title }) => title.replace(/^Your faction's /, ""))
        .join(", ")
        .replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** Keyed by act. */
const done = {
  block: "Blocked. It stops reading your faction's data within a second.",
  allow: "Allowed. Members' approvals work again as they were.",
  limit: "Saved. Only applications that you allow read your faction's data.",
  unlimit: "Saved. Every application that you did not block reads what members approve.",
  name: "Saved. Members in these positions see and decide the same as leaders.",
};
const wrong = {
  none: "Nothing changed: tick the applications first.",
  gone: "Nothing changed: no member lets that application read your faction's data any more.",
  position: "Nothing was saved: a position no longer exists. Check the list, then try again.",
};

export const DoneAlert = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
