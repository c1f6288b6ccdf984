import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
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
import {
  type ApplicationFigures,
  applicationFigures,
  callFigures,
  listFigures,
  noFigures,
} from "./usage-store";

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
/** Far above the default limit of a developer. */
const mostOwn = 1_000;

export interface ListedApplication extends Application {
  readonly figures: ApplicationFigures;
}

export interface ListedApplications {
  readonly rows: readonly ListedApplication[];
  /** That match. */
  readonly count: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

const compare = (one: string | number, other: string | number): number =>
  typeof one === "string" ? one.localeCompare(String(other), "en") : one - Number(other);

const applicationOrders = ["name", "calls", "errors", "since"] as const;

/** Newest first unless an order is asked for: its name, or "-" and its name. */
export async function listApplications(
  ctx: Context,
  user: PortalUser,
  asked: { readonly q?: string; readonly sort?: string; readonly page?: number } = {},
): Promise<ListedApplications> {
  const { q = "", sort = "" } = asked;
  const now = ctx.now();
  const own = await listOwnApplications(ctx.database.query, {
    ownerId: user.accountId,
    limit: mostOwn,
  });
  const wanted = q.trim().toLowerCase();
  const matching = own.filter(
    ({ name, clientId }) => name.toLowerCase().includes(wanted) || clientId === wanted,
  );
  const order = applicationOrders.find((known) => known === sort.replace(/^-/, ""));
  const ids = matching.map(({ clientId }) => clientId);
  const calls =
    order === "calls" || order === "errors" ? await callFigures(ctx.database, ids, now) : undefined;
  const place = (application: Application): string | number => {
    if (order === "name") return application.name;
    if (order === "since") return application.createdAt.getTime();
    return calls?.get(application.clientId)?.[order ?? "calls"] ?? 0;
  };
  const sorted = order
    ? matching.toSorted((one, other) => compare(place(one), place(other)))
    : matching;
  if (order && sort.startsWith("-")) sorted.reverse();
  const pages = Math.max(1, Math.ceil(sorted.length / pageSize));
  const page = Math.min(asked.page ?? 1, pages);
  const shown = sorted.slice((page - 1) * pageSize, page * pageSize);
  const clientIds = shown.map(({ clientId }) => clientId);
  const figures = await listFigures(ctx.database, clientIds, now, calls);
  const rows = shown.map((row) => ({ ...row, figures: figures.get(row.clientId) ?? noFigures }));
  return { rows, count: sorted.length, page, pages };
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
    limit: mostOwn,
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
