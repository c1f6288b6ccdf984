import { and, asc, count, eq, inArray, lt, notInArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, passkeys } from "#db/schema/accounts";

export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  /** Synchronised to other devices of the player. */
  readonly backedUp: boolean;
  readonly createdAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly confirmedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export interface StoredPasskey {
  readonly credentialId: string;
  readonly accountId: string;
  readonly playerId: number;
  readonly publicKey: string;
}

export interface NewPasskey {
  readonly id: string;
  readonly accountId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly confirmedAt: Date | null;
}

export const listPasskeys = (on: Queryable, accountId: string): Promise<OwnPasskey[]> =>
  on
    .select({
      id: passkeys.id,
      name: passkeys.name,
      backedUp: passkeys.backedUp,
      createdAt: passkeys.createdAt,
      address: passkeys.address,
      userAgent: passkeys.userAgent,
      confirmedAt: passkeys.confirmedAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));

export const listCredentials = (on: Queryable, accountId: string) =>
  on
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId));

export async function countPasskeys(on: Queryable, accountId: string): Promise<number> {
  const [row] = await on
    .select({ held: count() })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId));
  return row?.held ?? 0;
}

export async function findPasskey(
  on: Queryable,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
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
export async function insertPasskey(on: Queryable, passkey: NewPasskey): Promise<boolean> {
  const { transports, ...rest } = passkey;
  const inserted = await on
    .insert(passkeys)
    .values({ ...rest, transports: [...transports] })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return inserted.length > 0;
}

/**
 * An authenticator without a count sends 0 (Web Authentication section 6.1.1). @returns undefined
 * if the count did not grow, or the passkey is gone
 */
export async function notePasskeyUse(
  on: Queryable,
  used: {
    readonly credentialId: string;
    readonly counter: number;
    readonly backedUp: boolean;
    readonly at: Date;
  },
): Promise<Pick<OwnPasskey, "confirmedAt"> | undefined> {
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

export async function deletePasskey(
  on: Queryable,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const [gone] = await on
    .delete(passkeys)
    .where(and(eq(passkeys.accountId, accountId), eq(passkeys.id, id)))
    .returning({ name: passkeys.name });
  return gone?.name;
}

export async function deletePasskeysOf(
  on: Queryable,
  accountId: string,
  { except = [] }: { readonly except?: readonly string[] } = {},
): Promise<string[]> {
  const gone = await on
    .delete(passkeys)
    .where(and(eq(passkeys.accountId, accountId), notInArray(passkeys.id, [...except])))
    .returning({ name: passkeys.name });
  return gone.map(({ name }) => name);
}
