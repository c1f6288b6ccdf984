import { readCookie } from "#server/auth/cookies";
import { weekSeconds } from "#server/platform/time";

/** A cookie with an uncommitted form's fields; no secrets. The form's page reads it. */
export interface Draft {
  readonly cookie: string;
  /** Scope of the cookie: the form's page and below. */
  readonly path: string;
}

export const newApplicationDraft: Draft = {
  cookie: "adjutant_new_application",
  path: "/developers/new",
};

/** Browsers limit a cookie to 4,096 bytes with its name. */
const longestDraft = 3_800;

/**
 * A query string as cookie value, which needs no quoting. Fields beyond the limit are dropped.
 * @param typed in order of importance
 */
export function draftOf(typed: Iterable<readonly [string, string]>): string {
  const kept = new URLSearchParams();
  for (const [name, value] of typed) {
    const longer = new URLSearchParams([...kept, [name, value]]);
    if (longer.toString().length <= longestDraft) kept.append(name, value);
  }
  return kept.toString();
}

export const draftOwner = "player";

/** Null unless this player typed it: the next player at the browser must not see it. */
export function readDraft(
  cookies: string | null,
  { cookie }: Draft,
  playerId: number,
): string | null {
  const kept = readCookie(cookies, cookie);
  return kept && new URLSearchParams(kept).get(draftOwner) === String(playerId) ? kept : null;
}

/**
 * Kept for a week. Not HttpOnly, because script writes it too, and unsigned: like a query it only
 * prefills a form.
 * @param value empty to drop the draft
 */
export function draftLine({ cookie, path }: Draft, value: string, https: boolean): string {
  const age = value === "" ? 0 : weekSeconds;
  return `${cookie}=${value}; Path=${path}; Max-Age=${age}; SameSite=Lax${https ? "; Secure" : ""}`;
}
