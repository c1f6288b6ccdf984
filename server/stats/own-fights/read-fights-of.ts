import type { Context } from "#server/context";
import type { Attack } from "#server/game/contract/attack";
import { gameError } from "#server/game/game-error";
import { askGame } from "#server/users/keys/ask-game";
import type { OpenKey } from "#server/users/keys/open-key";
import { recordFights } from "../entries/record-fights";
import { findFightSharing, noteFightsAttempt, noteFightsSeen } from "./store";

/** As many as the game gives at once. */
const pageSize = 100;
/** Fights of longer ago are not asked for: the own score of today says little about them. */
const reachMs = 86_400_000;

/**
 * Reads a player's fights from where the last run stopped, inclusive, because several end in one second; what is read twice
 * counts once. Who may see what they tell is read with each page anew.
 * @param means the player's own key, and how many calls at most: what is left is read by the next runs
 * @returns how many scores were new
 * @throws GameError; the pages read before it are kept
 */
export async function readFightsOf(ctx: Context, means: { key: OpenKey; calls: number }): Promise<number> {
  const { key, calls } = means;
  const { playerId } = key;
  const now = ctx.now();
  const reach = new Date(now.getTime() - reachMs);
  const seen = await noteFightsAttempt(ctx.database.query, playerId, now);
  let from = seen && seen > reach ? seen : reach;
  let recorded = 0;
  for (let call = 0; call < calls; call++) {
    const page = { from, sort: "ASC", limit: pageSize } as const;
    const attacks = await askGame(ctx, {
      key,
      priority: "background",
      call: (game, text) => game.userAttacks(text, page),
    });
    if (!attacks.every((attack) => isTheirs(attack, playerId)))
      throw gameError({ kind: "unexpected-answer", detail: `fights of somebody else than player ${playerId}` });
    const newest = attacks.reduce((latest, { ended }) => (ended > latest ? ended : latest), from);
    recorded += await ctx.database.transaction(async (tx) => {
      const sharing = await findFightSharing(tx, playerId);
      if (!sharing) return 0;
      await noteFightsSeen(tx, playerId, newest);
      return recordFights(tx, { ...sharing, attacks, playerId, now });
    });
    if (attacks.length < pageSize) break;
    // A second that fills a page by itself is left behind.
    from = new Date(Math.max(newest.getTime(), from.getTime() + 1_000));
  }
  return recorded;
}

const isTheirs = ({ attacker, defender }: Attack, playerId: number): boolean =>
  attacker?.playerId === playerId || defender.playerId === playerId;
