import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { UnknownOAuthClient } from "../../failures";
import { hostedCallback } from "../redirect-uri";
import { isClientId } from "./client";
import { listSecrets, type SecretRecord } from "./secrets/store";
import { type Application, type ApplicationFigures, applicationFigures, findApplication } from "./store";

/** An application with all that its owner may know: how it stands, and its secrets without their values. */
export interface ApplicationView extends Application {
  readonly figures: ApplicationFigures;
  readonly secrets: readonly SecretRecord[];
  /** The redirect URI that a public application has without registering it. */
  readonly hostedCallback: string | null;
}

/** @throws UnknownOAuthClient when it is unknown, deleted or somebody else's, all alike */
export async function showApplication(ctx: Context, user: PortalUser, clientId: string): Promise<ApplicationView> {
  const on = ctx.database.query;
  const application = isClientId(clientId) ? await findApplication(on, clientId) : undefined;
  if (!application || application.ownerId !== user.accountId) throw UnknownOAuthClient.because();
  return {
    ...application,
    figures: await applicationFigures(on, clientId, ctx.now()),
    secrets: await listSecrets(on, clientId, ctx.now()),
    hostedCallback: application.kind === "public" ? hostedCallback(ctx.settings.baseUrl, clientId) : null,
  };
}
