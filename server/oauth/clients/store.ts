import { and, desc, eq, gt, isNull, or, type Placeholder, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationMembers, applicationSecrets, applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { columnsOf, first } from "#db/select";
import { isMemberWithRight, isPermittedApplication, type Permission } from "./team/permitted";
import type { ApplicationRight, ApplicationRole } from "./team/rights";
import { provenDomain } from "./verification/store";

/** Prepared, because every token request reads the client. */
export async function findClient(database: Database, clientId: string, now: Date) {
  const statement = database.statement("client_by_id", ({ keyPool }) =>
    selectClient(keyPool).prepare("client_by_id"),
  );
  const rows = await statement.execute({ clientId, now: now.toISOString() });
  const [row] = rows;
  if (!row) return undefined;
  const { secret: _, suspendedAt, openedAt, ...client } = row;
  return {
    ...client,
    suspended: suspendedAt !== null,
    open: openedAt !== null,
    secrets: rows.flatMap(({ secret }) => (secret ? [secret] : [])),
  };
}

export type RegisteredClient = NonNullable<Awaited<ReturnType<typeof findClient>>>;
export type ClientSecret = RegisteredClient["secrets"][number];

const selectClient = (on: Queryable) =>
  on
    .select({
      ...columnsOf(applications, [
        "clientId",
        "ownerId",
        "kind",
        "name",
        "redirectUris",
        "scopes",
        "optionalScopes",
        "suspendedAt",
        "openedAt",
      ]),
      secret: columnsOf(applicationSecrets, ["id", "hash", "hashKeyId", "lastUsedAt", "expiresAt"]),
    })
    .from(applications)
    .leftJoin(
      applicationSecrets,
      and(
        eq(applicationSecrets.clientId, applications.clientId),
        isNull(applicationSecrets.deletedAt),
        or(
          isNull(applicationSecrets.expiresAt),
          gt(applicationSecrets.expiresAt, sql.placeholder("now")),
        ),
      ),
    )
    .where(
      and(eq(applications.clientId, sql.placeholder("clientId")), isNull(applications.deletedAt)),
    );

export const applicationColumns = {
  clientId: applications.clientId,
  ownerId: applications.ownerId,
  ownerPlayerId: players.id,
  ownerName: players.name,
  ...columnsOf(applications, [
    "kind",
    "name",
    "description",
    "emblemSign",
    "emblemColour",
    "redirectUris",
    "scopes",
    "optionalScopes",
    "clientUri",
    "tosUri",
    "privacyUri",
    "privacy",
    "createdAt",
    "updatedAt",
    "verifiedAt",
    "suspendedAt",
    "suspendedFor",
    "openedAt",
  ]),
  provenDomain,
  version: applications.version,
};

const alive = isNull(applications.deletedAt);

const selectApplications = (on: Queryable, accountId: string | Placeholder | null) =>
  on
    .select({ application: applicationColumns, role: roleOf(accountId) })
    .from(applications)
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId));

function roleOf(accountId: string | Placeholder | null) {
  if (accountId === null) return sql<null>`null`;
  const { clientId, accountId: member, role, joinedAt } = applicationMembers;
  return sql<ApplicationRole | null>`case when ${applications.ownerId} = ${accountId} then 'owner'
    else (select ${role} from ${applicationMembers} where ${clientId} = ${applications.clientId}
      and ${member} = ${accountId} and ${joinedAt} is not null) end`;
}

type ApplicationRow = Awaited<ReturnType<typeof selectApplications>>[number]["application"];

export type Application = ReturnType<typeof applicationOf>;

export const applicationOf = ({ verifiedAt, suspendedAt, ...row }: ApplicationRow) => ({
  ...row,
  verified: verifiedAt !== null,
  suspended: suspendedAt !== null,
});

/** `role` is the reader's, or null outside the team. */
export type ApplicationWithRole = Application & { readonly role: ApplicationRole | null };

export async function findApplication(
  on: Queryable,
  clientId: string,
  accountId: string | null = null,
): Promise<ApplicationWithRole | undefined> {
  const [row] = await selectApplications(on, accountId).where(
    and(eq(applications.clientId, clientId), alive),
  );
  return row && { ...applicationOf(row.application), role: row.role };
}

export async function lockApplicationRow(tx: Queryable, clientId: string): Promise<void> {
  await tx
    .select({ clientId: applications.clientId })
    .from(applications)
    .where(and(eq(applications.clientId, clientId), alive))
    .for("no key update");
}

/** `accountIds` starts with the owner. */
export async function findTeamAccounts(on: Queryable, clientId: string, right: ApplicationRight) {
  const application = await first(
    on
      .select(columnsOf(applications, ["name", "ownerId"]))
      .from(applications)
      .where(eq(applications.clientId, clientId)),
  );
  if (!application) return undefined;
  const members = await on
    .select({ accountId: applicationMembers.accountId })
    .from(applicationMembers)
    .where(and(eq(applicationMembers.clientId, clientId), isMemberWithRight(right)))
    .orderBy(applicationMembers.joinedAt, applicationMembers.accountId);
  const { name, ownerId } = application;
  return { name, accountIds: [ownerId, ...members.map(({ accountId }) => accountId)] };
}

/** Prepared, because a developer's first page lists these applications. */
export async function listApplicationsOf(
  database: Database,
  { accountId, right, limit }: Permission & { readonly limit: number },
): Promise<ApplicationWithRole[]> {
  const name = `applications_of_${right}`;
  const reader = sql.placeholder("accountId");
  const statement = database.statement(name, ({ query }) =>
    selectApplications(query, reader)
      .where(isPermittedApplication(query, { accountId: reader, right }))
      .orderBy(desc(applications.createdAt), desc(applications.clientId))
      .limit(sql.placeholder("limit"))
      .prepare(name),
  );
  const rows = await statement.execute({ accountId, limit });
  return rows.map(({ application, role }) => ({ ...applicationOf(application), role }));
}

export type ApplicationSummary = Awaited<ReturnType<typeof listApplicationSummaries>>[number];

export async function listApplicationSummaries(
  on: Queryable,
  { limit, ...team }: Permission & { readonly limit: number },
) {
  const rows = await on
    .select({
      ...columnsOf(applications, ["clientId", "name", "kind", "scopes"]),
      ...columnsOf(applications, ["redirectUris", "suspendedAt"]),
    })
    .from(applications)
    .where(isPermittedApplication(on, team))
    .orderBy(desc(applications.createdAt), desc(applications.clientId))
    .limit(limit);
  return rows.map(({ suspendedAt, ...row }) => ({
    ...row,
    suspended: suspendedAt !== null,
  }));
}

/** Applications of the account's teams do not count against its limit. */
export const countOwnApplications = (on: Queryable, ownerId: string): Promise<number> =>
  on.$count(applications, and(eq(applications.ownerId, ownerId), alive));

/** Serialises acts of the account, so that each counts the results of the others. */
export async function lockAccountRow(tx: Queryable, accountId: string): Promise<void> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
}

export async function insertApplication(
  on: Queryable,
  application: Omit<typeof applications.$inferInsert, "updatedAt">,
): Promise<void> {
  await on.insert(applications).values({ ...application, updatedAt: application.createdAt });
}

/** Needs the application's lock. */
export async function saveApplication(
  tx: Queryable,
  clientId: string,
  changes: Partial<typeof applications.$inferInsert>,
): Promise<void> {
  await tx.update(applications).set(changes).where(eq(applications.clientId, clientId));
}
