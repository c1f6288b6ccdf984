import type { Context } from "#server/context";
import type { AttackPage } from "#server/game/client";
import type { Attack } from "#server/game/contract/attack";
import { askGame } from "#server/users/keys/ask-game";
import type { Means } from "../readings";
import { refuseForeignAnswer } from "../refuse-foreign-answer";
import { noteReading } from "../store";
import { keepAttacks, newestEnd } from "./keep-attacks";
import { answerableSince, concerns } from "./retaliation";
import { findAttacksSeen } from "./store";

/** As many attacks as the game gives at once. */
const pageSize = 100;
/** Attacks of longer ago are not asked for: nobody answers them, and scores age. */
const reachMilliseconds = 86_400_000;

/** With what to ask, and how often at most: after an outage the rest is left to the next runs. */
export interface AttackMeans extends Means {
  readonly calls: number;
}

/**
 * Reads a faction's attacks from where the last run stopped, inclusive, because several end in one second; what is read twice
 * counts once. Who lags behind further than a hit can be answered also reads the newest page, so that no hit comes too late.
 * @throws GameError; the pages read before it are kept
 * @returns how many attacks were read, and how many of them are hits that are new
 */
export async function readAttacks(ctx: Context, factionId: number, means: AttackMeans) {
  const at = ctx.now();
  await noteReading(ctx.database.query, factionId, { reading: "attacks", at });
  const seen = await findAttacksSeen(ctx.database.query, factionId);
  const reach = new Date(at.getTime() - reachMilliseconds);
  const counts = { attacks: 0, hits: 0 };
  const keep = async (attacks: readonly Attack[], moves: boolean) => {
    counts.attacks += attacks.length;
    counts.hits += await keepAttacks(ctx, { factionId, attacks, moves });
  };

  // The last of several calls is kept for the newest page.
  const calls = Math.max(1, means.calls - 1);
  let from = seen && seen > reach ? seen : reach;
  for (let call = 1; call <= calls; call++) {
    const page = await askForPage(ctx, factionId, { means, page: { from, sort: "ASC" } });
    await keep(page, true);
    if (page.length < pageSize) return counts;
    // A second that fills a page by itself is left behind.
    from = new Date(Math.max(newestEnd(page).getTime(), from.getTime() + 1_000));
  }
  if (from < answerableSince(ctx.now()) && calls < means.calls)
    await keep(await askForPage(ctx, factionId, { means, page: { sort: "DESC" } }), false);
  return counts;
}

async function askForPage(ctx: Context, factionId: number, asked: { means: Means; page: AttackPage }) {
  const { key, priority } = asked.means;
  const page = { ...asked.page, limit: pageSize };
  const attacks = await askGame(ctx, { key, priority, call: (game, text) => game.factionAttacks(text, page) });
  return attacks.every((attack) => concerns(attack, factionId))
    ? attacks
    : refuseForeignAnswer(ctx, factionId, asked.means);
}
