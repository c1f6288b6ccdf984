import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { secondMs } from "#server/platform/time";
import { portalRefusal } from "#server/portal-refusal";
import { firstRedirectUri, hostedCallback } from "../redirect-uri";
import { isClientId, type RegisteredClient } from "./client";
import { type SecretState, secretState } from "./secrets/secret-state";
import { listSecrets, type SecretRecord } from "./secrets/store";
import {
  type Application,
  findApplication,
  listApplicationsOf,
  lockApplicationRow,
  type NamedApplication,
  nameApplicationsOf,
  type ReadApplication,
} from "./store";
import { mayApprove } from "./team/permitted";
import { type ApplicationRight, type ApplicationRole, mayDo } from "./team/rights";
import {
  type ApplicationFigures,
  applicationFigures,
  callFigures,
  listFigures,
  noFigures,
} from "./usage-store";

export interface TeamApplication extends ReadApplication {
  readonly role: ApplicationRole;
}

/**
 * The guard of every act and view of an application.
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

/**
 * For acts: locked until the end of the transaction, so that no act of a member comes after the
 * removal.
 */
export async function lockApplication(
  tx: Queryable,
  by: PortalUser,
  clientId: string,
  right: ApplicationRight,
): Promise<TeamApplication> {
  if (isClientId(clientId)) await lockApplicationRow(tx, clientId);
  return requireApplication(tx, by, clientId, right);
}

/** With the right to do this, in whatever role. */
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

/**
 * Why this player cannot be asked; undefined if nothing is against it.
 * @param user null before the sign-in
 */
export async function whyNotAsked(
  ctx: Context,
  user: { readonly accountId: string } | null,
  { client, redirectUri }: { readonly client: RegisteredClient; readonly redirectUri: string },
): Promise<"in-test" | "redirect-uri-unregistered" | undefined> {
  const { kind, clientId, open } = client;
  if (!open) {
    // The sign-in shows which player it is.
    if (!user) return undefined;
    const pair = { clientId, accountId: user.accountId };
    if (!(await mayApprove(ctx.database.query, pair))) return "in-test";
  }
  const isHosted = redirectUri === hostedCallback(ctx.settings.baseUrl, clientId);
  if (kind === "public" || !isHosted) return undefined;
  const develops = await isPermittedTo(ctx, user, clientId, "tokens");
  return develops ? undefined : "redirect-uri-unregistered";
}

const pageSize = 25;
/** Far above the default limit of a developer. */
const mostOwn = 1_000;

export interface ListedApplication extends ReadApplication {
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
  const own = await nameApplicationsOf(ctx.database.query, {
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

export interface ApplicationView extends TeamApplication {
  readonly figures: ApplicationFigures;
  /** Empty for a viewer. */
  readonly secrets: readonly (SecretRecord & { readonly state: SecretState })[];
  /** A server-side application's is for its developers alone. */
  readonly hostedCallback: string;
}

/** @throws UnknownOAuthClient */
export async function showApplication(
  ctx: Context,
  user: PortalUser,
  clientId: string,
): Promise<ApplicationView> {
  const on = ctx.database.query;
  const application = await requireApplication(on, user, clientId, "figures");
  const now = ctx.now();
  const secrets = mayDo(application.role, "secrets") ? await listSecrets(on, clientId) : [];
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
