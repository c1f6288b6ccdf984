import { and, asc, count, eq, gte, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { webhookEndpoints } from "#db/schema/webhooks";
import { columnsOf, first, hasRows } from "#db/select";
import { isPermittedApplication } from "#server/oauth/clients/team/permitted";
import { failuresBeforeNotice, type HealthNotice, type WebhookEndpoint } from "./endpoint";

export const applicationJoin = eq(applications.clientId, webhookEndpoints.clientId);
export const accountJoin = eq(accounts.id, webhookEndpoints.accountId);
export const isSending = and(
  eq(webhookEndpoints.state, "enabled"),
  isNull(applications.deletedAt),
  isNull(applications.suspendedAt),
  isNull(accounts.bannedAt),
);
type NewEndpoint = typeof webhookEndpoints.$inferInsert;

/** The account is the owner if `clientId` is null. */
interface EndpointOwner {
  readonly clientId: string | null;
  readonly accountId: string;
}

const isOf = ({ clientId, accountId }: EndpointOwner) =>
  clientId === null
    ? eq(webhookEndpoints.accountId, accountId)
    : eq(webhookEndpoints.clientId, clientId);

export const countEndpoints = (on: Queryable, owner: EndpointOwner): Promise<number> =>
  on.$count(webhookEndpoints, isOf(owner));

/** @returns false if the account already has an endpoint */
export const insertEndpoint = (on: Queryable, endpoint: NewEndpoint): Promise<boolean> =>
  hasRows(
    on
      .insert(webhookEndpoints)
      .values(endpoint)
      .onConflictDoNothing({ target: webhookEndpoints.accountId })
      .returning({ id: webhookEndpoints.id }),
  );

export const listEndpointRows = (on: Queryable, owner: EndpointOwner): Promise<WebhookEndpoint[]> =>
  on
    .select()
    .from(webhookEndpoints)
    .where(isOf(owner))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));

export async function findEndpoint(
  on: Queryable,
  owner: EndpointOwner,
  of: { readonly endpointId: string; readonly lock: boolean },
): Promise<WebhookEndpoint | undefined> {
  const found = on
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, of.endpointId), isOf(owner)));
  return first(of.lock ? found.for("update") : found);
}

/** The new generation stops requests in flight and invalidates their results. */
export async function updateEndpoint(
  on: Queryable,
  endpointId: string,
  changes: Partial<NewEndpoint>,
): Promise<void> {
  await on
    .update(webhookEndpoints)
    .set({ ...changes, generation: sql`${webhookEndpoints.generation} + 1` })
    .where(eq(webhookEndpoints.id, endpointId));
}

export async function deleteEndpoint(on: Queryable, endpointId: string): Promise<void> {
  await on.delete(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId));
}

/** Locks in id order, to avoid deadlocks. */
export const lockEndpoints = (
  tx: Queryable,
  endpointIds: readonly string[],
): Promise<WebhookEndpoint[]> =>
  tx
    .select()
    .from(webhookEndpoints)
    .where(inArray(webhookEndpoints.id, [...endpointIds]))
    .orderBy(asc(webhookEndpoints.id))
    .for("no key update");

export const lockEndpointById = (tx: Queryable, endpointId: string) =>
  first(lockEndpoints(tx, [endpointId]));

export type ReceivingEndpoint = Awaited<ReturnType<typeof listReceivingEndpoints>>[number];

/** Includes switched-off endpoints, for which events wait. `playerId`: the account's player. */
export const listReceivingEndpoints = (on: Queryable) =>
  on
    .select({
      ...columnsOf(webhookEndpoints, ["id", "clientId", "types", "seq"]),
      playerId: accounts.playerId,
    })
    .from(webhookEndpoints)
    .leftJoin(applications, applicationJoin)
    .leftJoin(accounts, accountJoin)
    .where(and(isNotNull(webhookEndpoints.verifiedAt), isNull(applications.deletedAt)));

export async function listSendingEndpoints(
  on: Queryable,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, WebhookEndpoint>> {
  const rows = await on
    .select({ endpoint: webhookEndpoints })
    .from(webhookEndpoints)
    .leftJoin(applications, applicationJoin)
    .leftJoin(accounts, accountJoin)
    .where(and(inArray(webhookEndpoints.id, [...endpointIds]), isSending));
  return new Map(rows.map(({ endpoint }) => [endpoint.id, endpoint]));
}

export async function markSlow(on: Queryable, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return;
  const locked = on
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(inArray(webhookEndpoints.id, [...endpointIds]))
    .orderBy(asc(webhookEndpoints.id))
    .for("no key update");
  await on
    .update(webhookEndpoints)
    .set({ slow: true })
    .where(sql`${webhookEndpoints.id} = any(array(${locked}))`);
}

export type EndpointStanding = Partial<Omit<WebhookEndpoint, "id" | "waiting">>;

/** `gone`: number of deliveries that no longer wait. */
export async function saveStanding(
  tx: Queryable,
  endpointId: string,
  { standing, gone }: { standing: EndpointStanding; gone: number },
): Promise<void> {
  const { id, waiting } = webhookEndpoints;
  await tx
    .update(webhookEndpoints)
    .set({ ...standing, waiting: sql`${waiting} - ${gone}` })
    .where(eq(id, endpointId));
}

export const listFailingEndpoints = (on: Queryable, before: Date): Promise<WebhookEndpoint[]> =>
  on
    .select()
    .from(webhookEndpoints)
    .where(
      and(eq(webhookEndpoints.state, "enabled"), lte(webhookEndpoints.firstFailureAt, before)),
    );

export async function setNotice(
  on: Queryable,
  endpointId: string,
  notice: HealthNotice,
): Promise<void> {
  await on.update(webhookEndpoints).set({ notice }).where(eq(webhookEndpoints.id, endpointId));
}

const failingApplications = "failing_applications";

const troublesStatement = (database: Database) =>
  database.statement(failingApplications, ({ keyPool }) => {
    const isFailing = or(
      eq(webhookEndpoints.state, "disabled"),
      and(
        eq(webhookEndpoints.state, "enabled"),
        gte(webhookEndpoints.failures, failuresBeforeNotice),
      ),
    );
    const failing = keyPool
      .select({ many: count() })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.clientId, applications.clientId), isFailing));
    const told = keyPool
      .select({ one: sql`1` })
      .from(notices)
      .where(
        and(
          eq(notices.accountId, sql.placeholder("accountId")),
          eq(notices.kind, sql.placeholder("kind")),
          gte(notices.createdAt, sql.placeholder("since")),
          sql`starts_with(${notices.path}, '/developers/apps/' || ${applications.clientId} || '/')`,
        ),
      );
    return keyPool
      .select({
        clientId: applications.clientId,
        errorsJumped: sql<boolean>`exists (${told})`,
        endpoints: sql`(${failing})`.mapWith(Number),
      })
      .from(applications)
      .where(
        isPermittedApplication(keyPool, {
          accountId: sql.placeholder("accountId"),
          right: "webhooks",
        }),
      )
      .prepare(failingApplications);
  });

export const listApplicationTroubles = (
  database: Database,
  { since, ...of }: { readonly accountId: string; readonly kind: string; readonly since: Date },
) => troublesStatement(database).execute({ ...of, since: since.toISOString() });
