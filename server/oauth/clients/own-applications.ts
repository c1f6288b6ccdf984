import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { type Page, pageOf, readCursor } from "#server/platform/paging";
import { secondMs } from "#server/platform/time";
import { firstRedirectUri, hostedCallback } from "../redirect-uri";
import { isClientId } from "./client";
import { type SecretState, secretState } from "./secrets/secret-state";
import { listSecrets, type SecretRecord } from "./secrets/store";
import {
  type Application,
  findApplication,
  listOwnApplications,
  type NamedApplication,
  nameOwnApplications,
} from "./store";
import { type ApplicationFigures, applicationFigures, listFigures, noFigures } from "./usage-store";

/**
 * The guard of every act and view of a developer.
 * @throws UnknownOAuthClient alike for an unknown, deleted or foreign application
 */
export async function requireOwnApplication(
  on: Queryable,
  user: PortalUser,
  clientId: string,
): Promise<Application> {
  const application = isClientId(clientId) ? await findApplication(on, clientId) : undefined;
  if (application?.ownerId !== user.accountId) throw UnknownOAuthClient.because();
  return application;
}

const pageSize = 25;
/** Above the default limit of a developer. */
const mostNamed = 100;

export interface ListedApplication extends Application {
  readonly figures: ApplicationFigures;
}

export async function listApplications(
  ctx: Context,
  user: PortalUser,
  asked: { readonly after: string | null } = { after: null },
): Promise<Page<ListedApplication>> {
  const window = { ownerId: user.accountId, after: readCursor(asked.after), limit: pageSize + 1 };
  const own = await listOwnApplications(ctx.database, window);
  const placed = own.map((application) => ({
    ...application,
    at: application.createdAt,
    id: application.clientId,
  }));
  const { rows, next } = pageOf(placed, pageSize);
  const clientIds = rows.map(({ clientId }) => clientId);
  const figures = await listFigures(ctx.database, clientIds, ctx.now());
  return {
    rows: rows.map(({ at: _at, id: _id, ...row }) => ({
      ...row,
      figures: figures.get(row.clientId) ?? noFigures,
    })),
    next,
  };
}

export interface ApplicationChoice
  extends Pick<NamedApplication, "clientId" | "name" | "kind" | "scopes"> {
  readonly redirectUri: string;
}

export async function nameUsableApplications(
  ctx: Context,
  user: PortalUser,
): Promise<ApplicationChoice[]> {
  const own = await nameOwnApplications(ctx.database.query, {
    ownerId: user.accountId,
    limit: mostNamed,
  });
  return own
    .filter(({ suspended }) => !suspended)
    .map(({ clientId, name, kind, scopes, redirectUris }) => {
      const redirectUri = firstRedirectUri(ctx.settings.baseUrl, { clientId, redirectUris });
      return { clientId, name, kind, scopes, redirectUri };
    });
}

export interface ApplicationView extends Application {
  readonly figures: ApplicationFigures;
  readonly secrets: readonly (SecretRecord & { readonly state: SecretState })[];
  /** A server-side application's is for its owner alone. */
  readonly hostedCallback: string;
}

/** @throws UnknownOAuthClient */
export async function showApplication(
  ctx: Context,
  user: PortalUser,
  clientId: string,
): Promise<ApplicationView> {
  const on = ctx.database.query;
  const application = await requireOwnApplication(on, user, clientId);
  const now = ctx.now();
  const secrets = await listSecrets(on, clientId);
  const refreshMilliseconds = ctx.settings.lifetimes.access * secondMs;
  return {
    ...application,
    figures: await applicationFigures(ctx.database, clientId, now),
    secrets: secrets.map((each) => ({
      ...each,
      state: secretState(each, secrets, { now, refreshMilliseconds }),
    })),
    hostedCallback: hostedCallback(ctx.settings.baseUrl, clientId),
  };
}
