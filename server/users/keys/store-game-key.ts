import type { Queryable } from "#db/client";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { KeyInfo } from "#server/game/contract/key";
import { findAccount } from "../accounts/store";
import type { OpenKey } from "./open-key";
import { findKeyForUpdate, insertKey, updateKey } from "./store";

export interface KeyToStore {
  readonly accountId: string;
  /** The key's text. */
  readonly key: string;
  /** What the game just said about it. */
  readonly info: KeyInfo;
  readonly origin?: Origin;
}

/**
 * Stores a game key for an account, sealed and bound to its row. The same key again renews its row. Call it in a transaction.
 * @throws GeneralError when the key is another player's than the account's
 */
export async function storeGameKey(ctx: Context, tx: Queryable, input: KeyToStore): Promise<OpenKey> {
  const { accountId, key, info, origin } = input;
  const account = await findAccount(tx, accountId);
  if (account?.playerId !== info.playerId) throw foreign();

  const now = ctx.now();
  const contents = (id: string) => ({
    sealed: ctx.keyring.seal("game-key", key, id),
    fingerprint: ctx.keyring.fingerprint("game-key", key).hash,
    level: info.level,
    type: info.type,
    factionApiAccess: info.factionApiAccess,
    state: "active" as const,
    lastError: null,
    lastOkAt: now,
  });
  const stored = (id: string): OpenKey => ({
    id,
    playerId: info.playerId,
    level: info.level,
    lastOkAt: now,
    reveal: () => key,
  });
  const renew = async () => {
    const prints = ctx.keyring.fingerprints("game-key", key).map(({ hash }) => hash);
    const found = await findKeyForUpdate(tx, prints);
    if (!found) return undefined;
    if (found.accountId !== accountId) throw foreign();
    await updateKey(tx, found.id, contents(found.id));
    return stored(found.id);
  };

  const renewed = await renew();
  if (renewed) return renewed;
  const id = ctx.ids.uuid();
  const row = { id, accountId, playerId: info.playerId, lastFour: key.slice(-4), createdAt: now, ...contents(id) };
  // Two sign-ins with one key may race: the loser finds the winner's row.
  if (!(await insertKey(tx, row))) return (await renew()) ?? stored(id);
  const details = { keyId: id, level: info.level, type: info.type };
  await ctx.audit(tx, { act: "game-key-added", actor: `account:${accountId}`, accountId, origin, details });
  return stored(id);
}

const foreign = () => GeneralError.because({ message: "This game key belongs to another player." });
