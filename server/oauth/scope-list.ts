import { isScopeName, type ScopeName, scopeNames } from "../scopes";

/**
 * Reads a `scope` parameter (RFC 6749 section 3.3): names separated by spaces, order and repetition without meaning.
 * @returns the set in the catalogue's order, or undefined when one of the names is unknown
 */
export function parseScopeList(text: string): ScopeName[] | undefined {
  const named = text.split(" ").filter((name) => name !== "");
  if (!named.every(isScopeName)) return undefined;
  return scopeNames.filter((scope) => named.includes(scope));
}

/** The `scope` of an answer. */
export const formatScopeList = (scopes: readonly ScopeName[]): string => scopes.join(" ");

/** Stored scope names that this release knows, in the catalogue's order. */
export const knownScopes = (stored: readonly string[]): ScopeName[] =>
  scopeNames.filter((scope) => stored.includes(scope));
