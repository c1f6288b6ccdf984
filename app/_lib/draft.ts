import { readCookie } from "#server/auth/cookies";
import { weekSeconds } from "#server/platform/time";

/** A cookie that keeps the fields of a form that is not carried out yet. The form's page reads it; it holds no secret. */
export interface Draft {
  readonly cookie: string;
  /** The form's page: the browser sends the cookie there and below, and nowhere else. */
  readonly path: string;
}

export const newApplicationDraft: Draft = {
  cookie: "adjutant_new_application",
  path: "/developers/new",
};

/** Browsers keep at most 4,096 bytes of a cookie, with its name. */
const longestDraft = 3_800;

/**
 * The typed fields as a cookie's value: a query, because its characters need no quoting. Fields that no longer fit are left out.
 * @param typed the fields in order, of which the first matter most
 */
export function draftOf(typed: Iterable<readonly [string, string]>): string {
  const kept = new URLSearchParams();
  for (const [name, value] of typed) {
    const longer = new URLSearchParams([...kept, [name, value]]);
    if (longer.toString().length <= longestDraft) kept.append(name, value);
  }
  return kept.toString();
}

/** The field with the player's id. */
export const draftOwner = "player";

/** The draft in a Cookie header if this player typed it, else null: the next player at the same browser must not see it. */
export function readDraft(
  cookies: string | null,
  { cookie }: Draft,
  playerId: number,
): string | null {
  const kept = readCookie(cookies, cookie);
  return kept && new URLSearchParams(kept).get(draftOwner) === String(playerId) ? kept : null;
}

/**
 * The Set-Cookie line that keeps a draft for a week. The page's own script writes it too, so it is not HttpOnly, and it is not signed:
 * it fills in a form that its reader looks at before sending it, as the query of an address may.
 * @param value empty: the draft is dropped
 */
export function draftLine({ cookie, path }: Draft, value: string, https: boolean): string {
  const age = value === "" ? 0 : weekSeconds;
  return `${cookie}=${value}; Path=${path}; Max-Age=${age}; SameSite=Lax${https ? "; Secure" : ""}`;
}
