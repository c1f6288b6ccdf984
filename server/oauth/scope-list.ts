import { isScopeName, missingScopes, type ScopeName, scopeNames } from "#server/scopes";
import { oauthError } from "./oauth-error";

/** Many times all the names that there are. Characters. */
const longestList = 4_000;

/**
 * Reads a `scope` parameter (RFC 6749 section 3.3): names separated by spaces, order and repetition without meaning.
 * @returns the set in the catalogue's order, or undefined when one of the names is unknown, or the list absurdly long
 */
export function parseScopeList(text: string): ScopeName[] | undefined {
  if (text.length > longestList) return undefined;
  const named = new Set(text.split(" ").filter((name) => name !== ""));
  if (![...named].every(isScopeName)) return undefined;
  return scopeNames.filter((scope) => named.has(scope));
}

/** Only what looks like a scope is repeated: the sentence ends on pages of the client. */
const repeatable = /^[a-z_]+(?::[a-z_]+)?$/;
const longestName = 40;

/** The sentence for a list that `parseScopeList` refuses. */
export function unknownScope(text: string): string {
  const name = text.split(" ").find((each) => each !== "" && !isScopeName(each)) ?? "";
  return name.length <= longestName && repeatable.test(name)
    ? `The scope ${name} is unknown.`
    : "One of the scopes is unknown.";
}

/** The `scope` of an answer. */
export const formatScopeList = (scopes: readonly ScopeName[]): string => scopes.join(" ");

/** Stored scope names that this release knows, in the catalogue's order. */
export const knownScopes = (stored: readonly string[]): ScopeName[] =>
  scopeNames.filter((scope) => stored.includes(scope));

/**
 * Reads the `scope` of a token request, which may narrow what was granted and never widens it (RFC 6749 sections 3.3 and 6).
 * @returns null when the request names none
 * @throws invalid_scope for unknown scopes
 */
export function readRequestedScopes(text: string | undefined): ScopeName[] | null {
  if (text === undefined) return null;
  const requested = parseScopeList(text);
  if (!requested) throw oauthError("invalid_scope", unknownScope(text));
  return requested;
}

/** @throws invalid_scope when more is requested than was granted */
export function assertWithin(
  granted: readonly ScopeName[],
  requested: readonly ScopeName[] | null,
): void {
  const missing = missingScopes(granted, requested ?? []);
  if (missing.length > 0)
    throw oauthError(
      "invalid_scope",
      `The scope is wider than what was granted, which lacks ${formatScopeList(missing)}.`,
    );
}
