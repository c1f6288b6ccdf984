import { daySeconds } from "#server/platform/durations";
import { createDraw } from "#simulator/draw";
import type { People } from "#simulator/people/people";
import type { World } from "#simulator/world";
import type { Intent } from "./agenda";
import { type Clash, chanceToWin, isWon, kindOf } from "./clash";
import type { Roster } from "./roster";

const stealthShare = 0.12;
/** Attackers look for somebody whose score is this part of their own: a fair fight of 2, with a wide spread around it. */
const wantedPart = 0.375;
const spread = 0.9;
/** How far from the best match they look for somebody who can be attacked. */
const reach = 24;
/** A beaten faction answers with this probability, and with this mean delay in seconds while it may. */
const answered = 0.35;
const meanDelay = 120;
const longestDelay = 290;

/** Decides which player somebody attacks and how it goes. Everything is a draw on (attacker, second). */
export function createPairing(parts: { seed: number; world: World; people: People; roster: Roster }) {
  const { world, people, roster } = parts;
  const draws = {
    hit: createDraw(parts.seed, "hits"),
    retaliation: createDraw(parts.seed, "retaliations"),
    war: createDraw(parts.seed, "war-hits"),
  };
  const statusAt = (index: number, second: number) => world.drawnStatus(people.traits(index), new Date(second * 1000));

  /** Place of the first in `list`, which is in order of score, whose score is at least `score`. */
  function placeOf(list: readonly number[], score: number, day: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (roster.scoreOn(list[middle] ?? 0, day) < score) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How a fight between these two goes. */
  function fight(kind: keyof typeof draws, intent: Intent, defender: number, overseas: boolean): Clash {
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
   * The fight that comes of an intent, against the best match of `list` who can be attacked: at home, or in the same place abroad.
   * Null where the attacker is not able to attack or finds nobody.
   */
  function meet(kind: "hit" | "war", intent: Intent, list: readonly number[]): Clash | null {
    const { attacker, started, ended } = intent;
    const here = statusAt(attacker, started);
    if (here.state !== "Okay" && here.state !== "Abroad") return null;
    const overseas = here.state === "Abroad";
    const day = Math.floor(ended / daySeconds);
    const draw = draws[kind];
    const wanted =
      wantedPart * roster.scoreOn(attacker, day) * Math.exp(spread * draw.normal(attacker, ended * 16 + 4));
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

  /** What the beaten defender's faction does about it, if anything. `members` are all of that faction. */
  function retaliate(clash: Clash, members: readonly number[]): Clash | null {
    if (!isWon(clash.result) || clash.stealthed || clash.overseas || members.length < 2) return null;
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
      if (silentSince !== null || fate !== "free" || statusAt(candidate, ended).state !== "Okay") continue;
      if (strongest === null || roster.scoreOn(candidate, day) > roster.scoreOn(strongest, day)) strongest = candidate;
    }
    if (strongest === null || statusAt(clash.attacker, ended).state !== "Okay") return null;
    if (chanceToWin(roster.scoreOn(strongest, day), roster.scoreOn(clash.attacker, day)) < 0.3) return null;
    const intent = { attacker: strongest, started: ended - Math.min(delay, 20), ended };
    return fight("retaliation", intent, clash.attacker, false);
  }

  return { meet, retaliate };
}
export type Pairing = ReturnType<typeof createPairing>;
