import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { saveIfUnchanged } from "#db/save-if-unchanged";
import { accounts } from "#db/schema/accounts";
import { applicationSecrets, applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { knownScopes } from "../scope-list";
import { type ClientKind, type ClientSecret, isClientId, type RegisteredClient } from "./client";
import type { ApplicationChanges, ApplicationInput } from "./contract";

export interface Application extends Omit<ApplicationInput, "emblemSign" | "emblemColour"> {
  /** Names that we may no longer ship. */
  readonly emblemSign: string | null;
  readonly emblemColour: string | null;
  readonly clientId: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly verified: boolean;
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
  version: applications.version,
};

const selectApplications = (on: Queryable) =>
  on
    .select(applicationColumns)
    .from(applications)
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId));

type ApplicationRow = Awaited<ReturnType<typeof selectApplications>>[number];

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

export async function findApplication(
  on: Queryable,
  clientId: string,
): Promise<Application | undefined> {
  const [row] = await selectApplications(on).where(
    and(eq(applications.clientId, clientId), isNull(applications.deletedAt)),
  );
  return row && applicationOf(row);
}

/** Newest first. */
export async function listOwnApplications(
  on: Queryable,
  { ownerId, limit }: { readonly ownerId: string; readonly limit: number },
): Promise<Application[]> {
  const rows = await selectApplications(on)
    .where(isOwn(ownerId))
    .orderBy(desc(applications.createdAt), desc(applications.clientId))
    .limit(limit);
  return rows.map(applicationOf);
}

export type NamedApplication = Pick<
  Application,
  "clientId" | "name" | "kind" | "scopes" | "redirectUris" | "suspended"
>;

export async function nameOwnApplications(
  on: Queryable,
  { ownerId, limit }: { readonly ownerId: string; readonly limit: number },
): Promise<NamedApplication[]> {
  const { clientId, name, kind, scopes, redirectUris, suspendedAt } = applications;
  const rows = await on
    .select({ clientId, name, kind, scopes, redirectUris, suspendedAt })
    .from(applications)
    .where(isOwn(ownerId))
    .orderBy(desc(applications.createdAt), desc(applications.clientId))
    .limit(limit);
  return rows.map(({ suspendedAt: since, ...row }) => ({
    ...row,
    scopes: knownScopes(row.scopes),
    suspended: since !== null,
  }));
}

export const countOwnApplications = (on: Queryable, ownerId: string): Promise<number> =>
  on.$count(applications, isOwn(ownerId));

const isOwn = (ownerId: string) =>
  and(eq(applications.ownerId, ownerId), isNull(applications.deletedAt));

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

interface OwnKey {
  readonly clientId: string;
  readonly ownerId: string;
}

/** @returns false if its version is not the shown one */
export async function updateOwnApplication(
  tx: Queryable,
  { clientId, ownerId, version }: OwnKey & { readonly version: number },
  changes: ApplicationChanges & { readonly updatedAt: Date; readonly verifiedAt?: null },
): Promise<boolean> {
  const saved = await saveIfUnchanged(tx, applications, {
    key: and(eq(applications.clientId, clientId), isOwn(ownerId)),
    shown: { version },
    next: { ...changes, version: sql`${applications.version} + 1` },
  });
  return saved?.outcome === "saved";
}

export async function openOwnApplication(
  on: Queryable,
  { clientId, ownerId }: OwnKey,
  now: Date,
): Promise<void> {
  await on
    .update(applications)
    .set({ openedAt: now })
    .where(and(eq(applications.clientId, clientId), isOwn(ownerId), isNull(applications.openedAt)));
}

export async function deleteOwnApplication(
  on: Queryable,
  { clientId, ownerId }: OwnKey,
  now: Date,
): Promise<boolean> {
  const deleted = await on
    .update(applications)
    .set({ updatedAt: now, deletedAt: now, version: sql`${applications.version} + 1` })
    .where(and(eq(applications.clientId, clientId), isOwn(ownerId)))
    .returning({ clientId: applications.clientId });
  return deleted.length > 0;
}

/** Serialises acts on its secrets. @returns its kind */
export async function lockOwnApplication(
  tx: Queryable,
  key: OwnKey,
): Promise<ClientKind | undefined> {
  if (!isClientId(key.clientId)) return undefined;
  const [row] = await tx
    .select({ kind: applications.kind })
    .from(applications)
    .where(and(eq(applications.clientId, key.clientId), isOwn(key.ownerId)))
    .for("update");
  return row?.kind;
}
