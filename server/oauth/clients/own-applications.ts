import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { secondMs } from "#server/platform/time";
import { portalRefusal } from "#server/portal-refusal";
import { firstRedirectUri, hostedCallbackUri } from "../redirect-uri";
import { isClientId } from "./client";
import { listFigures, noFigures } from "./live-grants/store";
import { secretState } from "./secrets/secret-state";
import { listSecrets } from "./secrets/store";
import {
  type Application,
  findApplication,
  listApplicationSummaries,
  listApplicationsOf,
  lockApplicationRow,
} from "./store";
import { type ApplicationRight, type ApplicationRole, mayDo } from "./team/rights";
import { readCallFigures } from "./traffic/store";

export type TeamApplication = Application & { readonly role: ApplicationRole };

/**
 * Guards every act and view of an application.
 * @throws UnknownOAuthClient alike for an unknown, deleted or foreign application · PortalRefusal
 * ROLE_TOO_LOW
 */
export async function requireApplication(
  on: Queryable,
  user: PortalUser,
  clientId: string,
  right: ApplicationRight,
): Promise<TeamApplication> {
  const application = isClientId(clientId)
    ? await findApplication(on, clientId, user.accountId)
    : undefined;
  if (!application?.role) throw UnknownOAuthClient.because();
  if (!mayDo(application.role, right))
    throw portalRefusal({
      status: 403,
      reason: "ROLE_TOO_LOW",
      message: `As ${application.role} of this application you cannot do this. Ask its owner.`,
    });
  return { ...application, role: application.role };
}

/** Locks the application, so that a removed member can no longer act. */
export async function lockApplication(
  tx: Queryable,
  by: PortalUser,
  clientId: string,
  right: ApplicationRight,
): Promise<TeamApplication> {
  if (isClientId(clientId)) await lockApplicationRow(tx, clientId);
  return requireApplication(tx, by, clientId, right);
}

export async function isPermittedTo(
  ctx: Context,
  user: { readonly accountId: string } | null,
  clientId: string,
  right: ApplicationRight,
): Promise<boolean> {
  if (!user) return false;
  const application = await findApplication(ctx.database.query, clientId, user.accountId);
  return mayDo(application?.role ?? null, right);
}

const pageSize = 25;
/** Far above a developer's default limit of applications. */
const mostOwn = 1_000;

export type ListedApplication = Awaited<ReturnType<typeof listApplications>>["rows"][number];

const compare = (one: string | number, other: string | number): number =>
  typeof one === "string" ? one.localeCompare(String(other), "en") : one - Number(other);

const applicationOrders = ["name", "calls", "errors", "since"] as const;

/** Newest first, unless `sort` names an order; "-" before the name reverses the order. */
export async function listApplications(
  ctx: Context,
  user: PortalUser,
  asked: { readonly q?: string; readonly sort?: string; readonly page?: number } = {},
) {
  const { q = "", sort = "" } = asked;
  const now = ctx.now();
  const own = await listApplicationsOf(ctx.database, {
    accountId: user.accountId,
    right: "figures",
    limit: mostOwn,
  });
  const wanted = q.trim().toLowerCase();
  const matching = own.filter(
    ({ name, clientId }) => name.toLowerCase().includes(wanted) || clientId === wanted,
  );
  const order = applicationOrders.find((known) => known === sort.replace(/^-/, ""));
  const ids = matching.map(({ clientId }) => clientId);
  const calls =
    order === "calls" || order === "errors"
      ? await readCallFigures(ctx.database, ids, now)
      : undefined;
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
  /** `count` covers all pages; `page` starts at 1. */
  return { rows, count: sorted.length, page, pages };
}

export type ApplicationChoice = Awaited<ReturnType<typeof listApplicationChoices>>[number];

export async function listApplicationChoices(ctx: Context, user: PortalUser) {
  const own = await listApplicationSummaries(ctx.database.query, {
    accountId: user.accountId,
    right: "tokens",
    limit: mostOwn,
  });
  return own
    .filter(({ suspended }) => !suspended)
    .map(({ clientId, name, kind, scopes, redirectUris }) => {
      const redirectUri = firstRedirectUri(ctx.settings.baseUrl, { clientId, redirectUris });
      return { clientId, name, kind, scopes, redirectUri };
    });
}

export type ApplicationView = Awaited<ReturnType<typeof showApplication>>;

/** @throws UnknownOAuthClient */
export async function showApplication(ctx: Context, user: PortalUser, clientId: string) {
  const on = ctx.database.query;
  const application = await requireApplication(on, user, clientId, "figures");
  const now = ctx.now();
  const secrets = mayDo(application.role, "secrets") ? await listSecrets(on, clientId) : [];
  const refreshMilliseconds = ctx.settings.lifetimes.access * secondMs;
  return {
    ...application,
    figures: (await listFigures(ctx.database, [clientId], now)).get(clientId) ?? noFigures,
    /** Empty for a viewer. */
    secrets: secrets.map((each) => ({
      ...each,
      state: secretState(each, secrets, { now, refreshMilliseconds }),
    })),
    /** A confidential application's hosted callback works for its developers alone. */
    hostedCallback: hostedCallbackUri(ctx.settings.baseUrl, clientId),
  };
}
