import { daySeconds, hourSeconds, toUnixSeconds } from "#server/platform/time";
import { createDraw } from "#simulator/draw";
import type { TimeRange } from "#simulator/paging";
import type { People } from "#simulator/people/people";
import type { World } from "#simulator/world";
import { createMemory } from "../memory";
import { createAgenda } from "./agenda";
import { createClashes } from "./clashes";
import {
  type Attack,
  byTime,
  type Clash,
  chainModifier,
  chanceToWin,
  isWon,
  kindOf,
  type Modifiers,
  printedFairFight,
  type Result,
  respectOf,
} from "./fight-rules";
import { createPairing, createRoster } from "./pairing";
import { createWars } from "./wars";

export const chainTimeout = 300;
const retaliationWindow = 300;
/**
 * Chains are counted from the last multiple of six hours, so that no count needs the whole past.
 */
const hoursPerChain = 6;
/** Days of past at the start of the world, and of retention later. */
const pastDays = 8;
const keptDays = 14;

/** Hits, first second and last second. */
export interface ChainState {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}
const noChain: ChainState = { count: 0, first: 0, last: Number.NEGATIVE_INFINITY };

const prolong = (chain: ChainState, second: number): ChainState =>
  second - chain.last < chainTimeout
    ? { ...chain, count: chain.count + 1, last: second }
    : { count: 1, first: second, last: second };

/** Omitted fields follow from the rules. */
export interface AttackQuery {
  readonly result?: Result;
  readonly overseas?: boolean;
  readonly stealth?: boolean;
  readonly respect?: number;
  readonly war?: boolean;
  readonly retaliation?: boolean;
}

export function createFights(parts: { seed: number; epoch: Date; world: World; people: People }) {
  const { seed, world, people } = parts;
  const codes = createDraw(seed, "attack-codes");
  const extras = createDraw(seed, "attack-extras");
  const verbs = createDraw(seed, "attack-verbs");
  const wars = createWars(parts);
  const roster = createRoster(parts);
  const agenda = createAgenda(parts);
  const pairing = createPairing({ ...parts, roster });
  const clashes = createClashes({ world, roster, agenda, pairing, wars });
  const firstSecond = toUnixSeconds(parts.epoch) - pastDays * daySeconds;

  const factionHours = createMemory<Clash[]>(3_000);
  const chainHours = createMemory<ChainState>(3_000);
  /** Polls read the same fights repeatedly. */
  let printed = new WeakMap<Clash, Attack>();
  let changes = 0;
  let seen = "";

  /** Entries by faction depend on its members, so a change invalidates them. */
  function forgetOld(): void {
    const version = `${changes} ${world.version()} ${people.version()}`;
    if (version === seen) return;
    seen = version;
    factionHours.clear();
    chainHours.clear();
    printed = new WeakMap();
  }

  const factionOf = (index: number, second: number) => world.factionIndexAt(index, second * 1000);

  function ofFactionIn(faction: number, hour: number): Clash[] {
    return factionHours.through(faction * 10_000_000 + hour, () =>
      clashes
        .aroundFaction(faction, hour)
        .filter(
          ({ attacker, defender, ended }) =>
            factionOf(attacker, ended) === faction || factionOf(defender, ended) === faction,
        )
        .sort(byTime),
    );
  }

  const isChainHit = (clash: Clash, faction: number) =>
    isWon(clash.result) &&
    factionOf(clash.attacker, clash.ended) === faction &&
    factionOf(clash.defender, clash.ended) !== faction;

  function chainBefore(faction: number, hour: number): ChainState {
    if (hour % hoursPerChain === 0) return noChain;
    return chainHours.through(faction * 10_000_000 + hour, () =>
      chainUpTo(faction, hour - 1, () => true),
    );
  }

  /** The chain after those hits of the hour that `counts` accepts. */
  function chainUpTo(faction: number, hour: number, counts: (clash: Clash) => boolean): ChainState {
    return ofFactionIn(faction, hour)
      .filter((clash) => counts(clash) && isChainHit(clash, faction))
      .reduce((chain, { ended }) => prolong(chain, ended), chainBefore(faction, hour));
  }

  /** True if the defender beat a member of `faction` less than five minutes before. */
  function isAnswer(clash: Clash, faction: number): boolean {
    const hour = Math.floor(clash.ended / hourSeconds);
    return [hour - 1, hour].some((at) =>
      ofFactionIn(faction, at).some(
        (earlier) =>
          earlier.attacker === clash.defender &&
          isWon(earlier.result) &&
          !earlier.stealthed &&
          clash.ended - earlier.ended < retaliationWindow &&
          byTime(earlier, clash) < 0 &&
          factionOf(earlier.defender, earlier.ended) === faction,
      ),
    );
  }

  function modifiersOf(
    clash: Clash,
    sides: { attacker: number | null; defender: number | null },
  ): Modifiers {
    const at = new Date(clash.ended * 1000);
    const { attacker, defender } = sides;
    const atWar =
      clash.requested?.war ??
      (attacker !== null && defender !== null && wars.between(attacker, defender, clash.ended));
    const answers =
      clash.requested?.retaliation ??
      (attacker !== null && attacker !== defender && isAnswer(clash, attacker));
    return {
      fairFight: printedFairFight(
        people.score(clash.attacker, at),
        people.score(clash.defender, at),
      ),
      war: atWar ? 2 : 1,
      retaliation: answers ? 1.5 : 1,
      group: !clash.requested && extras.unit(clash.mark, 1) < 0.03 ? 1.1 : 1,
      overseas: clash.overseas ? 1.25 : 1,
      chain: 1,
      warlord: !clash.requested && extras.unit(clash.mark, 2) < 0.05 ? 1.15 : 1,
    };
  }

  function print(clash: Clash): Attack {
    const at = clash.ended * 1000;
    const [from, to] = [
      world.factionIndexAt(clash.attacker, at),
      world.factionIndexAt(clash.defender, at),
    ];
    const plain = modifiersOf(clash, { attacker: from, defender: to });
    const hour = Math.floor(clash.ended / hourSeconds);
    const chain =
      from !== null && isChainHit(clash, from)
        ? chainUpTo(from, hour, (other) => byTime(other, clash) <= 0).count
        : 0;
    const modifiers = { ...plain, chain: chainModifier(chain) };
    const sameFaction = from !== null && from === to;
    const recruit =
      (from !== null && world.recruitAt(clash.attacker, at)) ||
      (to !== null && world.recruitAt(clash.defender, at));
    const earns = isWon(clash.result) && !sameFaction && !recruit;
    const due = earns ? respectOf(world.playerAt(clash.defender).level, modifiers, chain) : 0;
    const gain = clash.requested?.respect ?? due;
    return {
      clash,
      id: clash.ended * 2 ** 18 + (clash.mark >>> 14),
      code: [0, 1, 2, 3]
        .map((part) =>
          codes
            .bits(clash.mark, clash.attacker * 4 + part)
            .toString(16)
            .padStart(8, "0"),
        )
        .join(""),
      attackerFaction: from,
      defenderFaction: to,
      modifiers,
      chain,
      rankedWar: modifiers.war > 1,
      gain,
      loss: to === null ? 0 : Math.round((gain / 4) * 100) / 100,
    };
  }

  function remembered(clash: Clash): Attack {
    const known = printed.get(clash) ?? print(clash);
    printed.set(clash, known);
    return known;
  }

  function* walk(
    range: TimeRange,
    now: Date,
    hourOf: (hour: number) => Clash[],
  ): Generator<Attack> {
    forgetOld();
    const present = toUnixSeconds(now);
    const from = Math.max(range.from, firstSecond, present - keptDays * daySeconds);
    const to = Math.min(range.to, present);
    const [first, last] = [Math.floor(from / hourSeconds), Math.floor(to / hourSeconds)];
    for (let step = 0; step <= last - first; step++) {
      const found = hourOf(range.sort === "ASC" ? first + step : last - step).filter(
        ({ ended }) => ended >= from && ended <= to,
      );
      for (const clash of range.sort === "ASC" ? found : found.reverse()) yield remembered(clash);
    }
  }

  return {
    wars,
    ofFaction: (faction: number, range: TimeRange, now: Date) =>
      walk(range, now, (hour) => ofFactionIn(faction, hour)),
    ofPlayer: (index: number, range: TimeRange, now: Date) =>
      walk(range, now, (hour) =>
        clashes
          .aroundPlayer(index, hour)
          .filter(({ attacker, defender }) => attacker === index || defender === index)
          .sort(byTime),
      ),
    /** A count of 0 if no chain is alive. */
    chainAt: (faction: number, second: number): ChainState => {
      forgetOld();
      const chain = chainUpTo(
        faction,
        Math.floor(second / hourSeconds),
        ({ ended }) => ended <= second,
      );
      return second - chain.last < chainTimeout ? chain : noChain;
    },
    /** The fight ends now. Omitted fields are drawn and follow from the rules. */
    attack: (attacker: number, defender: number, requested: AttackQuery, now: Date): Attack => {
      const ended = toUnixSeconds(now);
      changes += 1;
      const won =
        verbs.unit(changes, 0) <
        chanceToWin(people.score(attacker, now), people.score(defender, now));
      const clash = clashes.add({
        started: ended - 10,
        ended,
        attacker,
        defender,
        result: requested.result ?? kindOf(won, verbs.unit(changes, 1)),
        stealthed: requested.stealth ?? false,
        overseas: requested.overseas ?? false,
        mark: verbs.bits(changes, 2),
        requested,
      });
      forgetOld();
      return print(clash);
    },
    /** The war starts now. Both are indices. */
    startWar: (one: number, other: number, now: Date) => {
      changes += 1;
      return wars.start(one, other, toUnixSeconds(now));
    },
    stopWar: (one: number, other: number, now: Date) => {
      changes += 1;
      return wars.stop(one, other, toUnixSeconds(now));
    },
  };
}
