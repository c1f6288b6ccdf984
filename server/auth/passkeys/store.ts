import { and, asc, eq, inArray, lt, notInArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, passkeys } from "#db/schema/accounts";

export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

export async function listPasskeys(on: Queryable, accountId: string) {
  const { id, name, backedUp, createdAt, address, userAgent, confirmedAt, lastUsedAt } = passkeys;
  return on
    .select({ id, name, backedUp, createdAt, address, userAgent, confirmedAt, lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

export const listCredentials = (on: Queryable, accountId: string) =>
  on
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId));

export const countPasskeys = (on: Queryable, accountId: string): Promise<number> =>
  on.$count(passkeys, eq(passkeys.accountId, accountId));

export async function findPasskey(on: Queryable, credentialId: string) {
  const [row] = await on
    .select({
      credentialId: passkeys.credentialId,
      accountId: passkeys.accountId,
      playerId: accounts.playerId,
      publicKey: passkeys.publicKey,
    })
    .from(passkeys)
    .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
    .where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** @returns false if any account has this credential id */
export async function insertPasskey(
  on: Queryable,
  passkey: typeof passkeys.$inferInsert,
): Promise<boolean> {
  const inserted = await on
    .insert(passkeys)
    .values(passkey)
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return inserted.length > 0;
}

/** An authenticator without a count sends 0 (Web Authentication section 6.1.1). */
export async function notePasskeyUse(
  on: Queryable,
  used: {
    readonly credentialId: string;
    readonly counter: number;
    readonly backedUp: boolean;
    readonly at: Date;
  },
): Promise<{ confirmedAt: Date | null } | undefined> {
  const { credentialId, counter, backedUp, at } = used;
  const [noted] = await on
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: at })
    .where(
      and(
        eq(passkeys.credentialId, credentialId),
        counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter),
      ),
    )
    .returning({ confirmedAt: passkeys.confirmedAt });
  return noted;
}

/** @returns their names */
export async function confirmPasskeys(
  on: Queryable,
  kept: { readonly accountId: string; readonly ids: readonly string[]; readonly at: Date },
): Promise<string[]> {
  const confirmed = await on
    .update(passkeys)
    .set({ confirmedAt: kept.at })
    .where(and(eq(passkeys.accountId, kept.accountId), inArray(passkeys.id, [...kept.ids])))
    .returning({ name: passkeys.name });
  return confirmed.map(({ name }) => name);
}

export async function renamePasskeyRow(
  on: Queryable,
  named: { readonly accountId: string; readonly id: string; readonly name: string },
): Promise<boolean> {
  const { accountId, id, name } = named;
  const renamed = await on
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.accountId, accountId), eq(passkeys.id, id)))
    .returning({ id: passkeys.id });
  return renamed.length > 0;
}

/** @returns their names */
export async function deletePasskeys(
  on: Queryable,
  accountId: string,
  { only, except = [] }: { readonly only?: string; readonly except?: readonly string[] } = {},
): Promise<string[]> {
  const which = only === undefined ? notInArray(passkeys.id, [...except]) : eq(passkeys.id, only);
  const gone = await on
    .delete(passkeys)
    .where(and(eq(passkeys.accountId, accountId), which))
    .returning({ name: passkeys.name });
  return gone.map(({ name }) => name);
}
