import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { KeyInfo } from "#server/game/contract/user";
import { findAccount } from "../accounts-store";
import type { GameKey } from "./pick-key";
import {
  deleteOwnKey,
  findKeyForUpdate,
  insertKey,
  isKeyStored,
  type KeyCard,
  listKeyCards,
  rightsOf,
  updateKey,
} from "./store";

export type { KeyCard };

/** The user's stored game keys, newest first. Of a key itself only the last four characters are ever shown. */
export const listGameKeys = (ctx: Context, user: PortalUser): Promise<KeyCard[]> =>
  listKeyCards(ctx.database.query, user.accountId);

/** Whether this very key is stored, in whatever state. */
export function isKeyKnown(ctx: Context, key: string): Promise<boolean> {
  const prints = ctx.keyring.hmacs("game-key", key).map(({ hash }) => hash);
  return isKeyStored(ctx.database.query, prints);
}

export interface KeyToStore {
  readonly accountId: string;
  /** The key's text. */
  readonly key: string;
  /** The game's answer about the key. */
  readonly info: KeyInfo;
  readonly origin: Origin;
}

/**
 * Stores a game key for an account, sealed and bound to its row. The same key again renews its row. Call it in a transaction.
 * @throws GeneralError when the key is another player's than the account's
 */
export async function storeGameKey(
  ctx: Context,
  tx: Queryable,
  input: KeyToStore,
): Promise<GameKey> {
  const { accountId, key, info, origin } = input;
  const account = await findAccount(tx, accountId);
  if (account?.playerId !== info.playerId) throw foreign();

  const now = ctx.now();
  const rights = rightsOf(info);
  const contents = (id: string) => ({
    sealed: ctx.keyring.seal("game-key", key, id),
    keyHmac: ctx.keyring.hmac("game-key", key).hash,
    ...rights,
    state: "active" as const,
    lastError: null,
    lastOkAt: now,
  });
  const stored = (id: string): GameKey => ({
    id,
    playerId: info.playerId,
    level: rights.level,
    selections: rights.selections,
    lastOkAt: now,
    reveal: () => key,
  });
  const renew = async () => {
    const prints = ctx.keyring.hmacs("game-key", key).map(({ hash }) => hash);
    const found = await findKeyForUpdate(tx, prints);
    if (!found) return undefined;
    if (found.accountId !== accountId) throw foreign();
    await updateKey(tx, found.id, contents(found.id));
    return stored(found.id);
  };

  const renewed = await renew();
  if (renewed) return renewed;
  const id = ctx.ids.uuid();
  const row = {
    id,
    accountId,
    playerId: info.playerId,
    lastFour: key.slice(-4),
    createdAt: now,
    ...contents(id),
  };
  // Two sign-ins with one key may race: the loser finds the winner's row.
  if (!(await insertKey(tx, row))) return (await renew()) ?? stored(id);
  const details = { keyId: id, level: info.level, type: info.type };
  await ctx.audit(tx, {
    act: "game-key-added",
    actor: `account:${accountId}`,
    accountId,
    origin,
    details,
  });
  return stored(id);
}

const foreign = () => GeneralError.because({ message: "This game key belongs to another player." });

/**
 * Forgets one of the user's own keys. One that is gone already, or another account's, is left alone without a word. Wants a
 * confirmation, which the caller checks.
 * @returns how many were removed, 0 or 1
 */
export async function removeGameKey(
  ctx: Context,
  user: PortalUser,
  { keyId, origin }: { readonly keyId: string; readonly origin: Origin },
): Promise<number> {
  const { accountId } = user;
  return ctx.database.transaction(async (tx) => {
    if (!(await deleteOwnKey(tx, { id: keyId, accountId }))) return 0;
    const details = { keyId };
    await ctx.audit(tx, {
      act: "game-key-removed",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details,
    });
    return 1;
  });
}
