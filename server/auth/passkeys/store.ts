import { and, asc, eq, inArray, lt, notInArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, passkeys } from "#db/schema/accounts";
import { columnsOf, first, hasRows } from "#db/select";

export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

const isOf = (accountId: string) => eq(passkeys.accountId, accountId);

export const listPasskeys = (on: Queryable, accountId: string) =>
  on
    .select({
      ...columnsOf(passkeys, ["id", "name", "backedUp", "createdAt", "address", "userAgent"]),
      ...columnsOf(passkeys, ["confirmedAt", "lastUsedAt"]),
    })
    .from(passkeys)
    .where(isOf(accountId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));

export const listCredentialDescriptors = (on: Queryable, accountId: string) =>
  on
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(isOf(accountId));

export const countPasskeys = (on: Queryable, accountId: string): Promise<number> =>
  on.$count(passkeys, isOf(accountId));

export const findPasskey = (on: Queryable, credentialId: string) =>
  first(
    on
      .select({
        ...columnsOf(passkeys, ["credentialId", "accountId", "publicKey"]),
        playerId: accounts.playerId,
      })
      .from(passkeys)
      .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
      .where(eq(passkeys.credentialId, credentialId)),
  );

/** @returns false if any account has this credential id */
export const insertPasskey = (
  on: Queryable,
  passkey: typeof passkeys.$inferInsert,
): Promise<boolean> =>
  hasRows(
    on
      .insert(passkeys)
      .values(passkey)
      .onConflictDoNothing()
      .returning(columnsOf(passkeys, ["id"])),
  );

/** An authenticator without a count sends 0 (Web Authentication section 6.1.1). */
export const notePasskeyUse = (
  on: Queryable,
  {
    credentialId,
    counter,
    backedUp,
    at,
  }: { credentialId: string; counter: number; backedUp: boolean; at: Date },
) =>
  first(
    on
      .update(passkeys)
      .set({ counter, backedUp, lastUsedAt: at })
      .where(
        and(
          eq(passkeys.credentialId, credentialId),
          counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter),
        ),
      )
      .returning(columnsOf(passkeys, ["confirmedAt"])),
  );

const name = columnsOf(passkeys, ["name"]);

/** @returns the passkeys' names */
export async function markPasskeysConfirmed(
  on: Queryable,
  { accountId, ids, at }: { accountId: string; ids: readonly string[]; at: Date },
): Promise<string[]> {
  const confirmed = await on
    .update(passkeys)
    .set({ confirmedAt: at })
    .where(and(isOf(accountId), inArray(passkeys.id, [...ids])))
    .returning(name);
  return confirmed.map((passkey) => passkey.name);
}

export const renamePasskeyRow = (
  on: Queryable,
  { accountId, id, name: to }: { accountId: string; id: string; name: string },
): Promise<boolean> =>
  hasRows(
    on
      .update(passkeys)
      .set({ name: to })
      .where(and(isOf(accountId), eq(passkeys.id, id)))
      .returning(name),
  );

/** @returns the passkeys' names */
export async function deletePasskeys(
  on: Queryable,
  accountId: string,
  { only, except = [] }: { only?: string; except?: readonly string[] } = {},
): Promise<string[]> {
  const which = only === undefined ? notInArray(passkeys.id, [...except]) : eq(passkeys.id, only);
  const gone = await on
    .delete(passkeys)
    .where(and(isOf(accountId), which))
    .returning(name);
  return gone.map((passkey) => passkey.name);
}
