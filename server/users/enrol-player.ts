import type { RequestSource } from "#server/actor";
import type { Context } from "#server/context";
import type { KeyInfo } from "#server/game/contract/user";
import { storeGameKey } from "./keys/own-keys";
import { type GameKey, gameKeyOfText } from "./keys/pick-key";
import { refreshPlayer } from "./refresh-player";
import { ensureAccount, type SwitchName, setAccountSwitch } from "./store";

interface Enrolment {
  readonly gameKey: string;
  readonly info: KeyInfo;
  readonly turnOn?: SwitchName;
  readonly from: RequestSource;
}

/**
 * @returns `key` null for a banned account; its key is not stored
 * @throws GameCallError if the game does not identify the player
 */
export async function enrolPlayer(
  ctx: Context,
  { gameKey, info, turnOn, from }: Enrolment,
): Promise<{ accountId: string; key: GameKey | null }> {
  const { playerId } = info;
  await refreshPlayer(ctx, {
    playerId,
    key: gameKeyOfText(gameKey, playerId, info),
    info,
    priority: "user",
  });
  return ctx.database.transaction(async (tx) => {
    const made = { id: ctx.ids.uuid(), playerId, createdAt: ctx.now() };
    const { accountId, bannedAt } = await ensureAccount(tx, made);
    if (bannedAt) return { accountId, key: null };
    if (turnOn) await setAccountSwitch(tx, accountId, { name: turnOn, value: true });
    const by = { kind: "player", accountId, playerId, from } as const;
    return { accountId, key: await storeGameKey(ctx, tx, by, { key: gameKey, info }) };
  });
}
