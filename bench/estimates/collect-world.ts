import { createGameClient, type GameClient } from "#server/game/client";
import type { Attack } from "#server/game/contract/attack";
import { isGameCallError } from "#server/game/game-call-error";
import { derivedScore, scoringFight } from "#server/stats/entries/record-fights";
import type { EstimateSubject } from "#server/stats/estimates/model/estimate-model";
import { type Label, rowOf, type TrainingRow } from "#server/stats/estimates/model/train-model";
import type { StatModelName } from "#simulator/people/battle-stats";
import { createSimulator } from "#simulator/simulator";

const dayMilliseconds = 86_400_000;
/** As long as the simulated past. */
const pastDays = 8;
/** The share of players that contribute their fights. */
const shareOfContributors = 0.05;
/** What the game gives at most at once. */
const perPage = 100;
/** The game answers so many calls a minute of one player, and counts the personal stats that their keys read in a day. */
const callsPerKey = 90;

export interface WorldOptions {
  readonly seed: number;
  readonly statModel?: StatModelName;
  readonly players?: number;
}

/** What the product would know of a simulated world, and what is true in it. */
export interface CollectedWorld {
  /** One row for each player that the contributors fought. */
  readonly rows: readonly TrainingRow[];
  /** Of players without fights: their public data and their true score. */
  readonly unknown: readonly {
    readonly playerId: number;
    readonly subject: EstimateSubject;
    readonly score: number;
  }[];
  readonly truth: ReadonlyMap<number, number>;
}

/** Asks a whole simulated world through the game's own API, as the product's jobs do, only without waiting. */
export async function collectWorld({
  seed,
  statModel = "plain",
  players,
}: WorldOptions): Promise<CollectedWorld> {
  const epoch = new Date("2026-03-01T12:00:00Z");
  const simulator = createSimulator({
    seed,
    epoch,
    statModel,
    ...(players !== undefined && { players }),
  });
  const { control } = simulator;
  const game = createGameClient({
    baseUrl: simulator.baseUrl,
    fetch: simulator.fetch,
    now: simulator.now,
  });
  const ids = control.playerIds();
  const lenders: string[] = [];
  let calls = 0;
  const lentKey = (): string => {
    const turn = Math.floor(calls++ / callsPerKey);
    if (turn > 0 && calls % (callsPerKey * lenders.length) === 1) control.advance({ seconds: 61 });
    return lenders[turn % lenders.length] ?? simulator.demoKeys.developer;
  };

  const contributors = ids.filter((_, index) => index % Math.round(1 / shareOfContributors) === 0);
  const labels = new Map<number, Label[]>();
  for (const playerId of contributors) {
    const own = control.createKey({ playerId, level: 3 }).key;
    const attacks = await attacksOf(game, own, epoch);
    if (attacks) lenders.push(own);
    for (const attack of attacks ?? []) {
      const told = scoringFight(attack, { playerId });
      if (!told) continue;
      const label = { ...derivedScore(told, control.oracle({ playerId }).score), ageDays: 0 };
      labels.set(told.target.playerId, [...(labels.get(told.target.playerId) ?? []), label]);
    }
  }
  // What was asked with the lenders' keys no longer counts in their minute.
  control.advance({ seconds: 61 });
  const rows: TrainingRow[] = [];
  const unknown: CollectedWorld["unknown"][number][] = [];
  const truth = new Map<number, number>();
  for (const playerId of ids) {
    const { score } = control.oracle({ playerId });
    truth.set(playerId, score);
    const { level, signedUp, personalStats } = await game.player(lentKey(), playerId, {
      stats: true,
    });
    const ageDays = (simulator.now().getTime() - (signedUp ?? epoch).getTime()) / dayMilliseconds;
    const subject = { level, ageDays, counters: personalStats?.counters ?? {} };
    const row = rowOf(playerId, subject, labels.get(playerId) ?? []);
    if (row) rows.push(row);
    else unknown.push({ playerId, subject, score });
  }
  return { rows, unknown, truth };
}

/**
 * All fights of a key's owner up to `until`; null where the game does not answer the key of an
 * inactive player.
 */
async function attacksOf(game: GameClient, key: string, until: Date): Promise<Attack[] | null> {
  const all = new Map<string, Attack>();
  let from = new Date(until.getTime() - pastDays * dayMilliseconds);
  for (;;) {
    const page = await game
      .userAttacks(key, { from, to: until, sort: "ASC" })
      .catch(noneOfAway);
    if (page === null) return null;
    const before = all.size;
    for (const { ended, ...attack } of page) if (ended) all.set(attack.code, { ...attack, ended });
    const last = page.at(-1);
    if (page.length < perPage || !last || all.size === before) return [...all.values()];
    // Excluded by the game, and shared by others perhaps.
    from = new Date(last.started.getTime() - 1_000);
  }
}

function noneOfAway(error: unknown): null {
  if (isGameCallError(error) && error.kind === "owner-unavailable") return null;
  throw error;
}
