import { and, desc, eq, gt, isNull, or, type Placeholder, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationMembers, applicationSecrets, applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { knownScopes } from "../scope-list";
import type { ClientSecret, RegisteredClient } from "./client";
import type { ApplicationChanges, ApplicationInput } from "./contract";
import { isPermitted, joinedWith, type Permission } from "./team/permitted";
import type { ApplicationRight, ApplicationRole } from "./team/rights";
import { provenDomain } from "./verification/store";

export interface Application extends Omit<ApplicationInput, "emblemSign" | "emblemColour"> {
  /** Names that we may no longer ship. */
  readonly emblemSign: string | null;
  readonly emblemColour: string | null;
  readonly clientId: string;
  readonly ownerId: string;
  readonly ownerPlayerId: number;
  readonly ownerName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly verified: boolean;
  /** Null: none, or not proven. */
  readonly provenDomain: string | null;
  readonly suspended: boolean;
  readonly suspendedFor: string | null;
  readonly openedAt: Date | null;
  /** Optimistic locking. */
  readonly version: number;
}

/** Read on every token request, so one prepared statement. */
export async function findClient(
  database: Database,
  clientId: string,
  now: Date,
): Promise<RegisteredClient | undefined> {
  const statement = database.statement("client_by_id", ({ keyPool }) =>
    selectClient(keyPool).prepare("client_by_id"),
  );
  const rows = await statement.execute({ clientId, now: now.toISOString() });
  const [row] = rows;
  if (!row) return undefined;
  return {
    clientId,
    ownerId: row.ownerId,
    kind: row.kind,
    name: row.name,
    redirectUris: row.redirectUris,
    scopes: knownScopes(row.scopes),
    optionalScopes: knownScopes(row.optionalScopes),
    suspended: row.suspendedAt !== null,
    open: row.openedAt !== null,
    secrets: rows.flatMap(({ secret }): ClientSecret[] => (secret ? [secret] : [])),
  };
}

const selectClient = (on: Queryable) =>
  on
    .select({
      ownerId: applications.ownerId,
      kind: applications.kind,
      name: applications.name,
      redirectUris: applications.redirectUris,
      scopes: applications.scopes,
      optionalScopes: applications.optionalScopes,
      suspendedAt: applications.suspendedAt,
      openedAt: applications.openedAt,
      secret: {
        id: applicationSecrets.id,
        hash: applicationSecrets.hash,
        hashKeyId: applicationSecrets.hashKeyId,
        lastUsedAt: applicationSecrets.lastUsedAt,
        expiresAt: applicationSecrets.expiresAt,
      },
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
  kind: applications.kind,
  name: applications.name,
  description: applications.description,
  emblemSign: applications.emblemSign,
  emblemColour: applications.emblemColour,
  redirectUris: applications.redirectUris,
  scopes: applications.scopes,
  optionalScopes: applications.optionalScopes,
  clientUri: applications.clientUri,
  tosUri: applications.tosUri,
  privacyUri: applications.privacyUri,
  privacy: applications.privacy,
  createdAt: applications.createdAt,
  updatedAt: applications.updatedAt,
  verifiedAt: applications.verifiedAt,
  suspendedAt: applications.suspendedAt,
  suspendedFor: applications.suspendedFor,
  openedAt: applications.openedAt,
  provenDomain,
  version: applications.version,
};

const alive = isNull(applications.deletedAt);

/** With the role of a reader. */
const selectApplications = (on: Queryable, accountId: string | Placeholder | null) =>
  on
    .select({ application: applicationColumns, role: roleOf(accountId) })
    .from(applications)
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId));

/** An invitation gives no role. */
function roleOf(accountId: string | Placeholder | null) {
  if (accountId === null) return sql<null>`null`;
  const { clientId, accountId: member, role, joinedAt } = applicationMembers;
  return sql<ApplicationRole | null>`case when ${applications.ownerId} = ${accountId} then 'owner'
    else (select ${role} from ${applicationMembers} where ${clientId} = ${applications.clientId}
      and ${member} = ${accountId} and ${joinedAt} is not null) end`;
}

type ApplicationRow = Awaited<ReturnType<typeof selectApplications>>[number]["application"];

export const applicationOf = ({
  verifiedAt,
  suspendedAt,
  ...row
}: ApplicationRow): Application => ({
  ...row,
  scopes: knownScopes(row.scopes),
  optionalScopes: knownScopes(row.optionalScopes),
  verified: verifiedAt !== null,
  suspended: suspendedAt !== null,
});

export interface ReadApplication extends Application {
  /** Of the reader; null for players outside of the team. */
  readonly role: ApplicationRole | null;
}

/** @param accountId of the reader, for the role */
export async function findApplication(
  on: Queryable,
  clientId: string,
  accountId: string | null = null,
): Promise<ReadApplication | undefined> {
  const [row] = await selectApplications(on, accountId).where(
    and(eq(applications.clientId, clientId), alive),
  );
  return row && { ...applicationOf(row.application), role: row.role };
}

/** Serialises acts on one application. */
export async function lockApplicationRow(tx: Queryable, clientId: string): Promise<void> {
  await tx
    .select({ clientId: applications.clientId })
    .from(applications)
    .where(and(eq(applications.clientId, clientId), alive))
    .for("no key update");
}

/** The name and the accounts that may do this, the owner first. */
export async function findTeam(
  on: Queryable,
  clientId: string,
  right: ApplicationRight,
): Promise<{ readonly name: string; readonly accountIds: readonly string[] } | undefined> {
  const [row] = await on
    .select({ name: applications.name, ownerId: applications.ownerId })
    .from(applications)
    .where(eq(applications.clientId, clientId));
  if (!row) return undefined;
  const members = await on
    .select({ accountId: applicationMembers.accountId })
    .from(applicationMembers)
    .where(and(eq(applicationMembers.clientId, clientId), joinedWith(right)))
    .orderBy(applicationMembers.joinedAt, applicationMembers.accountId);
  return { name: row.name, accountIds: [row.ownerId, ...members.map((each) => each.accountId)] };
}

/** Newest first. Prepared, as it is a developer's first page. */
export async function listApplicationsOf(
  database: Database,
  { accountId, right, limit }: Permission & { readonly limit: number },
): Promise<ReadApplication[]> {
  const name = `applications_of_${right}`;
  const reader = sql.placeholder("accountId");
  const statement = database.statement(name, ({ query }) =>
    selectApplications(query, reader)
      .where(isPermitted(query, { accountId: reader, right }))
      .orderBy(desc(applications.createdAt), desc(applications.clientId))
      .limit(sql.placeholder("limit"))
      .prepare(name),
  );
  const rows = await statement.execute({ accountId, limit });
  return rows.map(({ application, role }) => ({ ...applicationOf(application), role }));
}

export type NamedApplication = Pick<
  Application,
  "clientId" | "name" | "kind" | "scopes" | "redirectUris" | "suspended"
>;

export async function nameApplicationsOf(
  on: Queryable,
  { limit, ...team }: Permission & { readonly limit: number },
): Promise<NamedApplication[]> {
  const { clientId, name, kind, scopes, redirectUris, suspendedAt } = applications;
  const rows = await on
    .select({ clientId, name, kind, scopes, redirectUris, suspendedAt })
    .from(applications)
    .where(isPermitted(on, team))
    .orderBy(desc(applications.createdAt), desc(applications.clientId))
    .limit(limit);
  return rows.map(({ suspendedAt: since, ...row }) => ({
    ...row,
    scopes: knownScopes(row.scopes),
    suspended: since !== null,
  }));
}

/** Only owned ones count against the limit. */
export const countOwnApplications = (on: Queryable, ownerId: string): Promise<number> =>
  on.$count(applications, and(eq(applications.ownerId, ownerId), alive));

/** Locks the account, so that concurrent registrations count each other. */
export async function countOwnApplicationsInTurn(tx: Queryable, ownerId: string): Promise<number> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, ownerId))
    .for("no key update");
  return countOwnApplications(tx, ownerId);
}

export async function insertApplication(
  on: Queryable,
  application: ApplicationInput & {
    readonly clientId: string;
    readonly ownerId: string;
    readonly createdAt: Date;
    readonly openedAt: Date | null;
  },
): Promise<void> {
  await on.insert(applications).values({ ...application, updatedAt: application.createdAt });
}

/** With the application locked. */
export async function saveApplication(
  tx: Queryable,
  clientId: string,
  changes: Partial<ApplicationChanges> & Partial<typeof applications.$inferInsert>,
): Promise<void> {
  await tx.update(applications).set(changes).where(eq(applications.clientId, clientId));
}
