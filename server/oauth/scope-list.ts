import { isScopeName, type ScopeName, scopeNames } from "../scopes";

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

/** The `scope` of an answer. */
export const formatScopeList = (scopes: readonly ScopeName[]): string => scopes.join(" ");

/** Stored scope names that this release knows, in the catalogue's order. */
export const knownScopes = (stored: readonly string[]): ScopeName[] =>
  scopeNames.filter((scope) => stored.includes(scope));
