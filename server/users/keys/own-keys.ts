import type { Queryable } from "#db/client";
import type { AccountActor, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { KeyInfo } from "#server/game/contract/user";
import { servedPurposes } from "./new-key";
import { type GameKey, typedKey } from "./pick-key";
import { deleteOwnKey, insertKey, listKeyCards, rightsOf, selectKey, updateKey } from "./store";

export async function listGameKeys(ctx: Context, user: PortalUser) {
  const cards = await listKeyCards(ctx.database, user.accountId);
  return cards.map((card) => ({ ...card, serves: servedPurposes(card) }));
}

export type OwnKey = Awaited<ReturnType<typeof listGameKeys>>[number];

export async function findStoredKey(ctx: Context, key: string) {
  const [row] = await selectKey(ctx.database.query, ctx.keyring.hmacs("game-key", key));
  return row;
}

/**
 * Stores a sealed key bound to its row; the same key renews its row. Call it in a transaction.
 * @throws GeneralError if the key belongs to another player
 */
export async function storeGameKey(
  ctx: Context,
  tx: Queryable,
  by: AccountActor,
  { key, info }: { readonly key: string; readonly info: KeyInfo },
): Promise<GameKey> {
  const { accountId, playerId } = by;
  if (playerId !== info.playerId) throw foreign();

  const now = ctx.now();
  const contents = (id: string) => ({
    sealed: ctx.keyring.seal("game-key", key, id),
    keyHmac: ctx.keyring.hmac("game-key", key).hash,
    ...rightsOf(info),
    state: "active" as const,
    lastError: null,
    lastOkAt: now,
  });
  const stored = (id: string) => ({ ...typedKey(key, playerId, info), id, lastOkAt: now });
  const renew = async () => {
    const [found] = await selectKey(tx, ctx.keyring.hmacs("game-key", key)).for("update");
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
    playerId,
    lastFour: key.slice(-4),
    createdAt: now,
    ...contents(id),
  };
  // On a race of two sign-ins with one key, the loser uses the winner's row.
  if (!(await insertKey(tx, row))) return (await renew()) ?? stored(id);
  const details = { keyId: id, level: info.level, type: info.type };
  await ctx.audit(tx, by, "game_key.added", { details });
  return stored(id);
}

const foreign = () => GeneralError.because({ message: "This game key belongs to another player." });

/**
 * Idempotent; keys of other accounts stay. The caller checks the confirmation.
 * @returns 0 or 1
 */
export async function removeGameKey(
  ctx: Context,
  by: PortalUser,
  { keyId }: { readonly keyId: string },
): Promise<number> {
  const { accountId } = by;
  return ctx.database.transaction(async (tx) => {
    if (!(await deleteOwnKey(tx, { id: keyId, accountId }))) return 0;
    const details = { keyId };
    await ctx.audit(tx, by, "game_key.removed", { details });
    return 1;
  });
}
