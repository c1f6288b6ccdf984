import { daySeconds } from "#server/platform/time";
import { createDraw } from "#simulator/draw";
import type { People } from "#simulator/people/people";
import type { World } from "#simulator/world";
import { createMemory } from "../memory";
import type { Intent } from "./agenda";
import { type Clash, chanceToWin, isWon, kindOf } from "./fight-rules";

const stealthShare = 0.12;
/** Attackers look for this part of their own score: a fair fight of 2, with a wide spread. */
const wantedPart = 0.375;
const spread = 0.9;
/** Distance from the best match within which a target is sought. */
const reach = 24;
/** Probability that a beaten faction retaliates, and its mean delay in seconds. */
const answered = 0.35;
const meanDelay = 120;
const longestDelay = 290;

/** Chooses targets and results. Everything is a draw on (attacker, second). */
export function createPairing(parts: {
  seed: number;
  world: World;
  people: People;
  roster: Roster;
}) {
  const { world, people, roster } = parts;
  const draws = {
    hit: createDraw(parts.seed, "hits"),
    retaliation: createDraw(parts.seed, "retaliations"),
    war: createDraw(parts.seed, "war-hits"),
  };
  const statusAt = (index: number, second: number) =>
    world.drawnStatus(people.traits(index), new Date(second * 1000));

  /** Binary search: the first place in `list` with a score of at least `score`. */
  function placeOf(list: readonly number[], score: number, day: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (roster.scoreOn(list[middle] ?? 0, day) < score) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function fight(
    kind: keyof typeof draws,
    intent: Intent,
    defender: number,
    overseas: boolean,
  ): Clash {
    const { attacker, started, ended } = intent;
    const draw = draws[kind];
    const day = Math.floor(ended / daySeconds);
    const chance = chanceToWin(roster.scoreOn(attacker, day), roster.scoreOn(defender, day));
    const won = draw.unit(attacker, ended * 16) < chance;
    const result = kindOf(won, draw.unit(attacker, ended * 16 + 1));
    const stealthed = kind === "hit" && draw.unit(attacker, ended * 16 + 2) < stealthShare;
    const mark = draw.bits(attacker, ended * 16 + 3);
    return { started, ended, attacker, defender, result, stealthed, overseas, mark };
  }

  /**
   * The fight against the best match of `list` that can be attacked: at home, or in the same place
   * abroad. Null if the attacker is unable or finds no target.
   */
  function meet(kind: "hit" | "war", intent: Intent, list: readonly number[]): Clash | null {
    const { attacker, started, ended } = intent;
    const here = statusAt(attacker, started);
    if (here.state !== "Okay" && here.state !== "Abroad") return null;
    const overseas = here.state === "Abroad";
    const day = Math.floor(ended / daySeconds);
    const draw = draws[kind];
    const wanted =
      wantedPart *
      roster.scoreOn(attacker, day) *
      Math.exp(spread * draw.normal(attacker, ended * 16 + 4));
    const best = placeOf(list, wanted, day);
    const faction = world.drawnFaction(attacker);
    for (let step = 0; step < 2 * reach; step++) {
      const offset = step % 2 === 0 ? step / 2 : -(step + 1) / 2;
      const candidate = list[best + offset];
      if (candidate === undefined || candidate === attacker) continue;
      if (faction !== null && world.drawnFaction(candidate) === faction) continue;
      const there = statusAt(candidate, started);
      const reached = overseas
        ? there.state === "Abroad" && there.description === here.description
        : there.state === "Okay";
      if (reached) return fight(kind, intent, candidate, overseas);
    }
    return null;
  }

  function retaliate(clash: Clash, members: readonly number[]): Clash | null {
    if (!isWon(clash.result) || clash.stealthed || clash.overseas || members.length < 2)
      return null;
    const draw = draws.retaliation;
    const n = clash.ended * 16;
    if (draw.unit(clash.attacker, n) >= answered) return null;
    const delay = Math.ceil(-meanDelay * Math.log(1 - draw.unit(clash.attacker, n + 1)));
    if (delay > longestDelay) return null;
    const day = Math.floor(clash.ended / daySeconds);
    const ended = clash.ended + delay;
    let strongest: number | null = null;
    for (let place = 0; place < 6; place++) {
      const candidate = members[draw.bits(clash.attacker, n + 2 + place) % members.length];
      if (candidate === undefined || candidate === clash.defender) continue;
      const { silentSince, fate } = people.traits(candidate);
      if (silentSince !== null || fate !== "free" || statusAt(candidate, ended).state !== "Okay")
        continue;
      if (strongest === null || roster.scoreOn(candidate, day) > roster.scoreOn(strongest, day))
        strongest = candidate;
    }
    if (strongest === null || statusAt(clash.attacker, ended).state !== "Okay") return null;
    if (chanceToWin(roster.scoreOn(strongest, day), roster.scoreOn(clash.attacker, day)) < 0.3)
      return null;
    const intent = { attacker: strongest, started: ended - Math.min(delay, 20), ended };
    return fight("retaliation", intent, clash.attacker, false);
  }

  return { meet, retaliate };
}
export type Pairing = ReturnType<typeof createPairing>;

/** Scores drift slowly, so one order of all players serves for two months. */
const daysPerOrder = 64;
/** Enough players for a match, few enough to scan. */
const playersPerBout = 400;

/**
 * Players that may fight each other on a day. Whole factions are dealt into bouts every day, so one
 * faction's fights are found without computing the world.
 */
export function createRoster(parts: { seed: number; epoch: Date; world: World; people: People }) {
  const { world, people } = parts;
  const draw = createDraw(parts.seed, "bouts");
  const epochDay = Math.floor(parts.epoch.getTime() / 1000 / daySeconds);
  const count = world.counts.players;
  const bouts = Math.max(1, Math.round(count / playersPerBout));

  /** Players by score, weakest first, and scores by player. */
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
    boutOfFaction: factionDraw,
    /** By score, weakest first. */
    inBout: (bout: number, day: number): readonly number[] =>
      deals.through(day, () => dealt(day))[bout] ?? [],
    /** The score for pairing; printed values follow from the true score of the moment. */
    scoreOn: (index: number, day: number) => onDay(day).scores[index] ?? 1,
  };
}
export type Roster = ReturnType<typeof createRoster>;
