import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { scopes as catalogue, type ScopeName } from "../../scopes";
import type { ClientKind } from "../clients/client";
import type { PrivacyStatements } from "../clients/contract";
import { applicationFigures, findApplication } from "../clients/store";
import { recallConsent } from "../consents/recall-consent";
import { requestFailure } from "../request-failure";
import { askUser, openRequest } from "./open-request";

/** What the consent page shows. */
export interface ConsentView {
  readonly requestId: string;
  readonly application: {
    readonly clientId: string;
    readonly name: string;
    readonly kind: ClientKind;
    readonly ownerName: string;
    readonly verified: boolean;
    readonly createdAt: Date;
    readonly clientUri: string;
    readonly clientHost: string;
    readonly tosUri: string;
    readonly privacyUri: string;
    readonly privacy: PrivacyStatements;
    /** Players with a live consent. */
    readonly users: number;
  };
  readonly scopes: readonly (typeof catalogue)[number][];
  /** Those of the scopes that no earlier consent covers. */
  readonly newScopes: readonly ScopeName[];
  readonly redirectHost: string;
  /** Whether the player allowed this application something before. */
  readonly remembered: boolean;
}

/**
 * Shows a parked request to the user, who from then on is the one to answer it.
 * @throws RequestFailure
 */
export async function showRequest(
  ctx: Context,
  asked: { readonly requestId: string; readonly browserId: string | null; readonly user: PortalUser },
): Promise<ConsentView> {
  const { request, client } = await openRequest(ctx, asked);
  await askUser(ctx, request, asked.user);
  const on = ctx.database.query;
  const application = await findApplication(on, client.clientId);
  if (!application) throw requestFailure("unknown");
  const { consent, newScopes } = await recallConsent(ctx, asked.user, { client, scopes: request.scopes });
  const { clientId, name, kind, ownerName, verified, createdAt, clientUri, tosUri, privacyUri, privacy } = application;
  const { users } = await applicationFigures(on, clientId, ctx.now());
  const clientHost = new URL(clientUri).host;
  const known = { clientId, name, kind, ownerName, verified, createdAt, clientUri, tosUri, privacyUri, privacy };
  return {
    requestId: request.id,
    application: { ...known, clientHost, users },
    scopes: catalogue.filter((scope) => request.scopes.includes(scope.name)),
    newScopes,
    redirectHost: new URL(request.redirectUri).host,
    remembered: consent !== undefined,
  };
}
