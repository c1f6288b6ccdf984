import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { missingScopes, type ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { findLiveConsent, type LiveConsent } from "./store";

/** What the player allowed before. */
export interface RememberedConsent {
  readonly consent: LiveConsent | undefined;
  /** Whether the player need not be asked again. */
  readonly suffices: boolean;
}

/**
 * What an earlier consent says of a new request. A public application is always asked for: anybody can send its id, so its
 * name proves nothing (RFC 6749 section 10.2).
 */
export async function findRememberedConsent(
  ctx: Context,
  user: PortalUser,
  request: { readonly client: Pick<RegisteredClient, "clientId" | "kind">; readonly scopes: readonly ScopeName[] },
): Promise<RememberedConsent> {
  const { client, scopes } = request;
  const pair = { accountId: user.accountId, clientId: client.clientId };
  const consent = await findLiveConsent(ctx.database.query, pair, ctx.now());
  const suffices =
    client.kind === "confidential" &&
    consent !== undefined &&
    !consent.paused &&
    missingScopes(consent.scopes, scopes).length === 0;
  return { consent, suffices };
}
