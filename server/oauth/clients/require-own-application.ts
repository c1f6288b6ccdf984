import type { Queryable } from "#db/client";
import type { PortalUser } from "../../actor";
import { UnknownOAuthClient } from "../../failures";
import { isClientId } from "./client";
import { type Application, findApplication } from "./store";

/**
 * The user's own application. The one question that every act and every view of a developer asks first.
 * @throws UnknownOAuthClient when it is unknown, deleted or somebody else's, all alike
 */
export async function requireOwnApplication(on: Queryable, user: PortalUser, clientId: string): Promise<Application> {
  const application = isClientId(clientId) ? await findApplication(on, clientId) : undefined;
  if (application?.ownerId !== user.accountId) throw UnknownOAuthClient.because();
  return application;
}
