import { daySeconds } from "#server/platform/durations";
import { createDraw } from "#simulator/draw";
import type { People } from "#simulator/people/people";
import type { World } from "#simulator/world";
import { createMemory } from "./memory";

/** Scores drift slowly, so that an order of all players by score serves for two months. */
const daysPerOrder = 64;
/** So many players meet each other on a day: enough to find a match, few enough to go through them all. */
const playersPerBout = 400;

/**
 * Who may meet whom on a day. All players are dealt into bouts again each day, faction-wise, and fight within theirs: so what happened to
 * one faction is found without working out the whole world.
 */
export function createRoster(parts: { seed: number; epoch: Date; world: World; people: People }) {
  const { world, people } = parts;
  const draw = createDraw(parts.seed, "bouts");
  const epochDay = Math.floor(parts.epoch.getTime() / 1000 / daySeconds);
  const count = world.counts.players;
  const bouts = Math.max(1, Math.round(count / playersPerBout));

  /** All players by score, weakest first, and the scores by player. */
  const orders = createMemory<{ scores: Float64Array; order: Uint32Array }>(3);
  function ordered(period: number) {
    const at = new Date((epochDay + period * daysPerOrder) * daySeconds * 1000);
    const scores = Float64Array.from({ length: count }, (_, index) => people.drawnScore(index, at));
    const order = Uint32Array.from({ length: count }, (_, index) => index);
    return { scores, order: order.sort((one, other) => (scores[one] ?? 0) - (scores[other] ?? 0)) };
  }
  function onDay(day: number) {
    const period = Math.floor((day - epochDay + daysPerOrder / 2) / daysPerOrder);
    return orders.through(period, () => ordered(period));
  }

  const factionDraw = (faction: number, day: number) => draw.bits(faction, day * 2) % bouts;
  function boutOf(index: number, day: number): number {
    const faction = world.drawnFaction(index);
    return faction === null ? draw.bits(index, day * 2 + 1) % bouts : factionDraw(faction, day);
  }

  const deals = createMemory<number[][]>(20);
  function dealt(day: number): number[][] {
    const lists: number[][] = Array.from({ length: bouts }, () => []);
    for (const index of onDay(day).order) lists[boutOf(index, day)]?.push(index);
    return lists;
  }

  return {
    bouts,
    boutOf,
    /** The bout of a whole faction. */
    boutOfFaction: factionDraw,
    /** The players of a bout by score, weakest first. */
    inBout: (bout: number, day: number): readonly number[] => deals.through(day, () => dealt(day))[bout] ?? [],
    /** The score that pairing goes by; what is printed follows from the true one of the moment. */
    scoreOn: (index: number, day: number) => onDay(day).scores[index] ?? 1,
  };
}
export type Roster = ReturnType<typeof createRoster>;
