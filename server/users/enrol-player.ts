import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import type { KeyInfo } from "#server/game/contract/user";
import { type Account, ensureAccount, type SwitchName, setSwitch } from "./accounts-store";
import { storeGameKey } from "./keys/own-keys";
import { type GameKey, typedKey } from "./keys/pick-key";
import { refreshPlayer } from "./refresh-player";
import { findOwnPlayer } from "./store";

export interface Enrolment {
  /** A game key that somebody typed, and what the game just said about it. */
  readonly gameKey: string;
  readonly info: KeyInfo;
  /** A switch that is turned on with it; all are off in a new account. */
  readonly turnOn?: SwitchName;
  readonly origin: Origin;
}

/**
 * Makes the owner of a game key known here: reads the player, opens their account the first time, stores the key.
 * @returns the account and the stored key; null for the key of a banned account, which is not stored
 * @throws GameCallError when the game does not tell who the player is
 */
export async function enrolPlayer(
  ctx: Context,
  { gameKey, info, turnOn, origin }: Enrolment,
): Promise<{ account: Account; key: GameKey | null }> {
  const { playerId } = info;
  await refreshPlayer(ctx, {
    playerId,
    key: typedKey(gameKey, playerId, info),
    info,
    priority: "user",
  });
  return ctx.database.transaction(async (tx) => {
    const account = await ensureAccount(tx, { id: ctx.ids.uuid(), playerId, createdAt: ctx.now() });
    if (account.bannedAt) return { account, key: null };
    const { accountId } = account;
    if (turnOn) await setSwitch(tx, accountId, { name: turnOn, value: true });
    return { account, key: await storeGameKey(ctx, tx, { accountId, key: gameKey, info, origin }) };
  });
}

/** Whether the player is known here at all. */
export const isKnownPlayer = async (ctx: Context, playerId: number): Promise<boolean> =>
  (await findOwnPlayer(ctx.database, playerId)) !== undefined;
