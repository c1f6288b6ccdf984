import type { ScopeName } from "../../scopes";
import { covers } from "../../scopes";
import { oauthError } from "../oauth-error";
import { parseScopeList } from "../scope-list";

/**
 * Reads the `scope` of a token request, which may narrow what was granted and never widens it (RFC 6749 sections 3.3 and 6).
 * @returns null when the request names none
 * @throws invalid_scope for unknown scopes
 */
export function readWishedScopes(text: string | undefined): ScopeName[] | null {
  if (text === undefined) return null;
  const wished = parseScopeList(text);
  if (!wished) throw oauthError("invalid_scope", "One of the scopes is unknown.");
  return wished;
}

/** @throws invalid_scope when more is wished than was granted */
export function assertWithin(granted: readonly ScopeName[], wished: readonly ScopeName[] | null): void {
  if (wished?.some((scope) => !covers(granted, scope)))
    throw oauthError("invalid_scope", "The scope is wider than what was granted.");
}
