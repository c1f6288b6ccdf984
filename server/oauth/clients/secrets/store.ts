import { and, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applicationSecrets, applications } from "#db/schema/oauth";
import type { KeyedHash } from "#server/platform/keyring";

export interface SecretRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly savedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** Also moves the hash to the current server secret. */
export async function touchSecret(
  on: Queryable,
  secret: {
    readonly id: string;
    readonly print: KeyedHash;
    readonly at: Date;
    readonly before: Date;
  },
): Promise<void> {
  const { id, print, at, before } = secret;
  await on
    .update(applicationSecrets)
    .set({ lastUsedAt: at, hash: print.hash, hashKeyId: print.keyId })
    .where(
      and(
        eq(applicationSecrets.id, id),
        or(
          isNull(applicationSecrets.lastUsedAt),
          lte(applicationSecrets.lastUsedAt, before),
          ne(applicationSecrets.hashKeyId, print.keyId),
        ),
      ),
    );
}

export async function listSecrets(on: Queryable, clientId: string): Promise<SecretRecord[]> {
  return on
    .select({
      id: applicationSecrets.id,
      name: applicationSecrets.name,
      createdAt: applicationSecrets.createdAt,
      lastUsedAt: applicationSecrets.lastUsedAt,
      savedAt: applicationSecrets.savedAt,
      expiresAt: applicationSecrets.expiresAt,
    })
    .from(applicationSecrets)
    .where(and(eq(applicationSecrets.clientId, clientId), isNull(applicationSecrets.deletedAt)))
    .orderBy(applicationSecrets.createdAt, applicationSecrets.id);
}

/** Live secrets of live applications that expire in this time. */
export const listExpiring = (
  on: Queryable,
  { after, until }: { readonly after: Date; readonly until: Date },
) =>
  on
    .select({
      clientId: applicationSecrets.clientId,
      name: applicationSecrets.name,
      expiresAt: sql`${applicationSecrets.expiresAt}`.mapWith(applicationSecrets.createdAt),
    })
    .from(applicationSecrets)
    .innerJoin(applications, eq(applications.clientId, applicationSecrets.clientId))
    .where(
      and(
        gt(applicationSecrets.expiresAt, after),
        lte(applicationSecrets.expiresAt, until),
        isNull(applicationSecrets.deletedAt),
        isNull(applications.deletedAt),
      ),
    )
    .orderBy(applicationSecrets.expiresAt, applicationSecrets.id);

export async function insertSecret(
  on: Queryable,
  secret: typeof applicationSecrets.$inferInsert,
): Promise<void> {
  await on.insert(applicationSecrets).values(secret);
}

export async function saveSecrets(on: Queryable, clientId: string, now: Date): Promise<void> {
  await on
    .update(applicationSecrets)
    .set({ savedAt: now })
    .where(and(eq(applicationSecrets.clientId, clientId), isNull(applicationSecrets.savedAt)));
}

/** @returns the name of the removed secret, if it was live */
export async function removeSecret(
  on: Queryable,
  key: { readonly clientId: string; readonly secretId: string },
  now: Date,
): Promise<string | undefined> {
  const [removed] = await on
    .update(applicationSecrets)
    .set({ deletedAt: now })
    .where(
      and(
        eq(applicationSecrets.id, key.secretId),
        eq(applicationSecrets.clientId, key.clientId),
        isNull(applicationSecrets.deletedAt),
      ),
    )
    .returning({ name: applicationSecrets.name });
  return removed?.name;
}

export const removeCreatedSecrets = (
  tx: Queryable,
  of: { readonly clientId: string; readonly accountId: string },
  now: Date,
): Promise<{ id: string; name: string }[]> =>
  tx
    .update(applicationSecrets)
    .set({ deletedAt: now })
    .where(
      and(
        eq(applicationSecrets.clientId, of.clientId),
        eq(applicationSecrets.createdBy, of.accountId),
        isNull(applicationSecrets.deletedAt),
      ),
    )
    .returning({ id: applicationSecrets.id, name: applicationSecrets.name });
