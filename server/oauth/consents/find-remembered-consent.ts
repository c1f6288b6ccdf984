import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { missingScopes, type ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { reachesClientAlone } from "../redirect-uri";
import { findLiveConsent, type LiveConsent } from "./store";

/** What the player allowed before. */
export interface RememberedConsent {
  readonly consent: LiveConsent | undefined;
  /** Whether the player need not be asked again. */
  readonly suffices: boolean;
}

/**
 * What an earlier consent says of a new request. By the hosted callback a public application is always asked for: anybody can
 * send its id, and the answer would be shown to them.
 */
export async function findRememberedConsent(
  ctx: Context,
  user: PortalUser,
  request: {
    readonly client: Pick<RegisteredClient, "clientId" | "kind">;
    readonly redirectUri: string;
    readonly scopes: readonly ScopeName[];
  },
): Promise<RememberedConsent> {
  const { client, redirectUri, scopes } = request;
  const pair = { accountId: user.accountId, clientId: client.clientId };
  const consent = await findLiveConsent(ctx.database.query, pair, ctx.now());
  const suffices =
    reachesClientAlone(client.kind, redirectUri, ctx.settings.baseUrl) &&
    consent !== undefined &&
    !consent.paused &&
    missingScopes(consent.scopes, scopes).length === 0;
  return { consent, suffices };
}
