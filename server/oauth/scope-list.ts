import { boundedList, text } from "#server/platform/input-schemas";
import { isScopeName, missingScopes, type ScopeName, scopeNames } from "#server/scopes";
import { oauthError } from "./oauth-error";

/** Unknown scope names in a form have no effect. */
export const ScopeNames = boundedList(text(100), { most: 50 });

/** Characters. */
const longestList = 4_000;

/** RFC 6749 section 3.3. @returns undefined for an unknown name */
export function parseScopeList(text: string): ScopeName[] | undefined {
  if (text.length > longestList) return undefined;
  const named = new Set(text.split(" ").filter((name) => name !== ""));
  if (![...named].every(isScopeName)) return undefined;
  return scopeNames.filter((scope) => named.has(scope));
}

/** The message appears on the client's pages, so it repeats only text that looks like a scope. */
const repeatable = /^[a-z_]+(?::[a-z_]+)?$/;
const longestName = 40;

export function unknownScopeMessage(text: string): string {
  const name = text.split(" ").find((each) => each !== "" && !isScopeName(each)) ?? "";
  return name.length <= longestName && repeatable.test(name)
    ? `The scope ${name} is unknown.`
    : "One of the scopes is unknown.";
}

export const formatScopeList = (scopes: readonly ScopeName[]): string => scopes.join(" ");

export const knownScopesOf = (stored: readonly string[]): ScopeName[] =>
  scopeNames.filter((scope) => stored.includes(scope));

/** @throws invalid_scope for unknown scopes */
export function readRequestedScopes(text: string | undefined): ScopeName[] | null {
  if (text === undefined) return null;
  const requested = parseScopeList(text);
  if (!requested) throw oauthError("invalid_scope", unknownScopeMessage(text));
  return requested;
}

/** RFC 6749 section 6. @throws invalid_scope if more is requested than was granted */
export function assertWithinGrant(
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
