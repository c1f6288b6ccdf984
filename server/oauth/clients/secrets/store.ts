import { and, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applicationSecrets, applications } from "#db/schema/oauth";
import { columnsOf } from "#db/select";
import type { KeyedHash } from "#server/platform/keyring";

export type SecretRecord = Awaited<ReturnType<typeof listSecrets>>[number];

/** Stores the last use, and the hash by the current server secret. */
export async function touchSecret(
  on: Queryable,
  id: string,
  { print, at, before }: { readonly print: KeyedHash; readonly at: Date; readonly before: Date },
): Promise<void> {
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

export const listSecrets = (on: Queryable, clientId: string) =>
  on
    .select({
      ...columnsOf(applicationSecrets, ["id", "name", "createdAt"]),
      ...columnsOf(applicationSecrets, ["lastUsedAt", "savedAt", "expiresAt"]),
    })
    .from(applicationSecrets)
    .where(and(eq(applicationSecrets.clientId, clientId), isNull(applicationSecrets.deletedAt)))
    .orderBy(applicationSecrets.createdAt, applicationSecrets.id);

/** Leaves out `after` itself, so that consecutive runs do not overlap. */
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

export async function setSecretsSavedAt(on: Queryable, clientId: string, now: Date): Promise<void> {
  await on
    .update(applicationSecrets)
    .set({ savedAt: now })
    .where(and(eq(applicationSecrets.clientId, clientId), isNull(applicationSecrets.savedAt)));
}

/** @returns the secrets that were not deleted before */
export const removeSecrets = (
  tx: Queryable,
  {
    clientId,
    ...of
  }: { readonly clientId: string } & (
    | { readonly secretId: string }
    | { readonly createdBy: string }
  ),
  now: Date,
): Promise<{ id: string; name: string }[]> =>
  tx
    .update(applicationSecrets)
    .set({ deletedAt: now })
    .where(
      and(
        eq(applicationSecrets.clientId, clientId),
        "secretId" in of
          ? eq(applicationSecrets.id, of.secretId)
          : eq(applicationSecrets.createdBy, of.createdBy),
        isNull(applicationSecrets.deletedAt),
      ),
    )
    .returning(columnsOf(applicationSecrets, ["id", "name"]));
