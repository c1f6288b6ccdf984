import { type ApplicationDraft, linesOf, statementNames } from "./application-draft";

/** A field that was saved elsewhere while somebody edited the application. */
export interface SavedElsewhere {
  readonly label: string;
  /** What stands now. */
  readonly now: string;
  /** Whether the form keeps what was typed here instead. */
  readonly keptHere: boolean;
}

const texts = [
  { name: "name", label: "Name" },
  { name: "clientUri", label: "Home page" },
  { name: "tosUri", label: "Terms of service" },
  { name: "privacyUri", label: "Privacy policy" },
] as const;

/**
 * Puts what was typed into what was saved meanwhile. Lists take over what was added and removed on both sides, so that an entry
 * which was removed elsewhere does not come back; a text that was changed on both sides stays as it was typed.
 * @param base what the form began with
 */
export function mergeDrafts(
  base: ApplicationDraft,
  typed: ApplicationDraft,
  saved: ApplicationDraft,
): { readonly draft: ApplicationDraft; readonly changes: readonly SavedElsewhere[] } {
  const changes: SavedElsewhere[] = [];
  const text = (label: string, [before, here, now]: readonly [string, string, string]): string => {
    const keptHere = here !== before && here !== now;
    if (now !== before) changes.push({ label, now, keptHere });
    return keptHere || now === before ? here : now;
  };
  const list = <Item extends string>(
    label: string,
    [before, here, now]: readonly [readonly Item[], readonly Item[], readonly Item[]],
  ): Item[] => {
    if (!isSame(before, now)) changes.push({ label, now: now.join("\n"), keptHere: !isSame(before, here) });
    const added = here.filter((item) => !before.includes(item) && !now.includes(item));
    return [...now.filter((item) => here.includes(item) || !before.includes(item)), ...added];
  };
  const [name, clientUri, tosUri, privacyUri] = texts.map(({ name: field, label }) =>
    text(label, [base[field], typed[field], saved[field]]),
  ) as [string, string, string, string];
  const redirectUris = list(
    "Redirect URIs",
    [base, typed, saved].map((draft) => linesOf(draft.redirectUris)) as [string[], string[], string[]],
  ).join("\n");
  const scopes = list("Scopes", [base.scopes, typed.scopes, saved.scopes]);
  const optionalScopes = list("Optional scopes", [base.optionalScopes, typed.optionalScopes, saved.optionalScopes]);
  const privacy = Object.fromEntries(
    statementNames.map((statement) => [
      statement,
      text(`Privacy: ${statement}`, [base.privacy[statement], typed.privacy[statement], saved.privacy[statement]]),
    ]),
  ) as ApplicationDraft["privacy"];
  const draft = {
    kind: saved.kind,
    name,
    redirectUris,
    scopes,
    optionalScopes,
    clientUri,
    tosUri,
    privacyUri,
    privacy,
  };
  return { draft, changes };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));
