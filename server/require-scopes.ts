import { InsufficientPermissions } from "./failures";
import { missingScopes, type ScopeName } from "./scopes";

/**
 * Refuses where `granted` does not cover all of `required`; `faction` covers every `faction:*`.
 * @throws InsufficientPermissions with required, granted and missing scopes in its details
 */
export function requireScopes(granted: readonly ScopeName[], required: readonly ScopeName[]): void {
  if (required.length === 0) return;
  const missing = missingScopes(granted, required);
  if (missing.length > 0) throw InsufficientPermissions.because({ details: { required, granted, missing } });
}
