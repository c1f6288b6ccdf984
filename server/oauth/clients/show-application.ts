import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { hostedCallback } from "../redirect-uri";
import { type ApplicationFigures, applicationFigures } from "./figures/store";
import { requireOwnApplication } from "./require-own-application";
import { type SecretStanding, secretStanding } from "./secrets/secret-standing";
import { listSecrets, type SecretRecord } from "./secrets/store";
import type { Application } from "./store";

/** An application with all that its owner may know: how it stands, and its secrets without their values. */
export interface ApplicationView extends Application {
  readonly figures: ApplicationFigures;
  readonly secrets: readonly (SecretRecord & { readonly standing: SecretStanding })[];
  /** The redirect URI that a public application has without registering it. */
  readonly hostedCallback: string | null;
}

/** @throws UnknownOAuthClient when it is unknown, deleted or somebody else's, all alike */
export async function showApplication(ctx: Context, user: PortalUser, clientId: string): Promise<ApplicationView> {
  const on = ctx.database.query;
  const application = await requireOwnApplication(on, user, clientId);
  const now = ctx.now();
  const secrets = await listSecrets(on, clientId);
  const refreshMilliseconds = ctx.settings.lifetimes.access * 1_000;
  return {
    ...application,
    figures: await applicationFigures(on, clientId, now),
    secrets: secrets.map((each) => ({
      ...each,
      standing: secretStanding(each, secrets, { now, refreshMilliseconds }),
    })),
    hostedCallback: application.kind === "public" ? hostedCallback(ctx.settings.baseUrl, clientId) : null,
  };
}
