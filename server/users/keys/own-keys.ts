import type { Queryable } from "#db/client";
import type { AccountActor, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { KeyInfo } from "#server/game/contract/user";
import { servedPurposes } from "./new-key";
import { type GameKey, gameKeyOfText } from "./pick-key";
import {
  deleteOwnKey,
  findKeyByHmac,
  insertKey,
  listKeySummaries,
  rightsOf,
  updateKey,
} from "./store";

export async function listGameKeys(ctx: Context, user: PortalUser) {
  const cards = await listKeySummaries(ctx.database, user.accountId);
  return cards.map((card) => ({ ...card, serves: servedPurposes(card) }));
}

export type GameKeyView = Awaited<ReturnType<typeof listGameKeys>>[number];

export const findStoredKey = (ctx: Context, key: string) =>
  findKeyByHmac(ctx.database.query, ctx.keyring.hmacs("game-key", key));

/**
 * A key that is already stored renews its row. Call it in a transaction.
 * @throws GeneralError if the key belongs to another player
 */
export async function storeGameKey(
  ctx: Context,
  tx: Queryable,
  by: AccountActor,
  { key, info }: { key: string; info: KeyInfo },
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
  const stored = (id: string) => ({ ...gameKeyOfText(key, playerId, info), id, lastOkAt: now });
  const renew = async () => {
    const found = await findKeyByHmac(tx, ctx.keyring.hmacs("game-key", key), "for update");
    if (!found) return undefined;
    if (found.accountId !== accountId) throw foreign();
    await updateKey(tx, found.id, contents(found.id));
    return stored(found.id);
  };

  const renewed = await renew();
  if (renewed) return renewed;
  const id = ctx.ids.uuid();
  const made = { id, accountId, playerId, lastFour: key.slice(-4), createdAt: now };
  // If two sign-ins with one key race, the loser uses the winner's row.
  if (!(await insertKey(tx, { ...made, ...contents(id) }))) return (await renew()) ?? stored(id);
  const details = { keyId: id, level: info.level, type: info.type };
  await ctx.audit(tx, by, "game_key.added", { details });
  return stored(id);
}

const foreign = () => GeneralError.because({ message: "This game key belongs to another player." });

/** Idempotent. The caller checks the confirmation. @returns 0 or 1 */
export async function removeGameKey(
  ctx: Context,
  by: PortalUser,
  { keyId }: { keyId: string },
): Promise<number> {
  const { accountId } = by;
  return ctx.database.transaction(async (tx) => {
    if (!(await deleteOwnKey(tx, { id: keyId, accountId }))) return 0;
    await ctx.audit(tx, by, "game_key.removed", { details: { keyId } });
    return 1;
  });
}

const around = String.raw`[\s"'\x60‘’“”‚„«»]*`;
const before = new RegExp(`^${around}(?:(?:\\S*[?&])?(?:api_?)?key\\s*[=:])?${around}`, "iu");
const after = new RegExp(`(?:&.*)?${around}$`, "isu");

/** Strips invisible characters, quotes, and `key=` with the rest of a URL. */
export const cleanPastedKey = (pasted: string): string =>
  pasted
    .replace(/\p{Cf}/gu, "")
    .replace(before, "")
    .replace(after, "");
