import { daySeconds, hourSeconds, toUnixSeconds } from "#server/platform/time";
import { createCache, createRandom } from "./draw";
import type { TimeRange } from "./paging";
import type { People } from "./people/people";
import type { World } from "./world";

/** Cumulative shares of results, among won and among lost fights. */
const wonUpTo = {
  Hospitalized: 0.45,
  Attacked: 0.8,
  Mugged: 0.95,
  Arrested: 0.97,
  Special: 0.98,
  Bounty: 1,
} as const;
const lostUpTo = {
  Lost: 0.55,
  Escape: 0.7,
  Stalemate: 0.81,
  Assist: 0.88,
  Timeout: 0.95,
  Interrupted: 1,
} as const;
type Result = keyof typeof wonUpTo | keyof typeof lostUpTo;
export const results = Object.keys({ ...wonUpTo, ...lostUpTo }) as Result[];

export const isWon = (result: Result) => Object.hasOwn(wonUpTo, result);

function kindOf(won: boolean, roll: number): Result {
  const shares = Object.entries(won ? wonUpTo : lostUpTo) as [Result, number][];
  return shares.find(([, upTo]) => roll < upTo)?.[0] ?? (won ? "Attacked" : "Lost");
}

/** Fighters are player indices, times Unix seconds. */
interface Clash {
  readonly started: number;
  readonly ended: number;
  readonly attacker: number;
  readonly defender: number;
  readonly result: Result;
  readonly stealthed: boolean;
  /** True if both were in the same place abroad. */
  readonly overseas: boolean;
  /** 32 random bits for id and code. */
  readonly mark: number;
  /** Order within the same second; fights of control verbs come last. */
  readonly order: number;
  /** Values that a control verb overrides. */
  readonly requested?: AttackQuery;
}

/** Omitted fields follow from the rules. */
interface AttackQuery {
  readonly result?: Result;
  readonly overseas?: boolean;
  readonly stealth?: boolean;
  readonly respect?: number;
  readonly war?: boolean;
  readonly retaliation?: boolean;
}

type Modifier = "fair_fight" | "war" | "retaliation" | "group" | "overseas" | "chain" | "warlord";

/** A fight with all printed values. Factions are indices. */
export interface Attack extends Clash {
  readonly id: number;
  readonly code: string;
  readonly attackerFaction: number | null;
  readonly defenderFaction: number | null;
  /** Multipliers of respect; 1 means not applied. */
  readonly modifiers: Readonly<Record<Modifier, number>>;
  readonly gain: number;
  readonly loss: number;
}

const hundredths = (value: number) => Math.round(value * 100) / 100;

/** Fair fight from 1 to 3, with two decimals, of the two true scores. */
export const printedFairFight = (attacker: number, defender: number) =>
  hundredths(Math.min(3, Math.max(1, 1 + (8 / 3) * (defender / attacker))));

export const baseRespect = (level: number) => hundredths(level / 198 + 197 / 198);

const chanceToWin = (attacker: number, defender: number) =>
  1 / (1 + Math.exp(-6 * (Math.log(attacker / defender) + 0.15)));

const byTime = (one: Clash, other: Clash) => one.ended - other.ended || one.order - other.order;

/** Enough players for a match, few enough to scan. */
const playersPerBout = 400;
/** Attacks of a player on an active day. */
const attacksPerHour = 8 / 24;
const stealthShare = 0.12;
/** Attackers look for targets with this part of their own score: a fair fight of 2. */
const wantedPart = 0.375;
const spread = 0.9;
/** Distance from the best match within which a target is sought. */
const reach = 24;
/** Probability that a beaten faction retaliates, and its mean delay in seconds. */
const answered = 0.35;
const meanDelay = 120;
const retaliationWindow = 300;
/** Days of fights before the epoch, and days that fights are kept. */
const pastDays = 8;
const keptDays = 14;
/** Eight days of one faction, several times over, take some ten megabytes. */
const rememberedHours = 1_500;

/** Fights by hour, as a function of the seed, plus those of control verbs. */
export function createFights(parts: { seed: number; epoch: Date; world: World; people: People }) {
  const { seed, world, people } = parts;
  const draw = createRandom(seed, "fights");
  const retaliations = createRandom(seed, "retaliations");
  const boutDraw = createRandom(seed, "bouts");
  const active = createRandom(seed, "active days");
  const firstSecond = toUnixSeconds(parts.epoch) - pastDays * daySeconds;
  const bouts = Math.max(1, Math.round(world.counts.players / playersPerBout));
  const made: Clash[] = [];
  let verbs = 0;

  const factionOf = (index: number, second: number) => world.factionIndexAt(index, second * 1000);
  const statusAt = (index: number, second: number) =>
    world.drawnStatus(people.traits(index), new Date(second * 1000));

  /** Scores as of the epoch, for the choice of opponents; printed values are of the moment. */
  let scores: Float64Array | undefined;
  function score(index: number): number {
    scores ??= Float64Array.from({ length: world.counts.players }, (_, each) =>
      people.drawnScore(each, parts.epoch),
    );
    return scores[index] ?? 1;
  }

  /**
   * Every day whole factions are dealt into bouts, so that one bout has all fights of a faction.
   */
  const boutOfFaction = (faction: number, day: number) => boutDraw.bits(faction, 2 * day) % bouts;
  function boutOf(index: number, day: number): number {
    const faction = world.drawnFaction(index);
    return faction === null
      ? boutDraw.bits(index, 2 * day + 1) % bouts
      : boutOfFaction(faction, day);
  }

  let weakestFirst: Uint32Array | undefined;
  const days = createCache<{ players: number[]; attackers: number[] }[]>(20);
  function dealt(day: number) {
    weakestFirst ??= Uint32Array.from({ length: world.counts.players }, (_, index) => index).sort(
      (one, other) => score(one) - score(other),
    );
    const lists = Array.from({ length: bouts }, () => ({
      players: [] as number[],
      attackers: [] as number[],
    }));
    for (const index of weakestFirst) {
      const bout = lists[boutOf(index, day)];
      bout?.players.push(index);
      const { fate, silentSince, activity } = people.traits(index);
      if (fate === "free" && !silentSince && active.unit(index, day) < activity)
        bout?.attackers.push(index);
    }
    return lists;
  }

  /** A drawn player attacks the best match in the same place. */
  function hit(
    { players, attackers }: { players: readonly number[]; attackers: readonly number[] },
    { bout, hour, nth }: { bout: number; hour: number; nth: number },
  ): Clash[] {
    const n = hour * 4_096 + nth * 8;
    const attacker = attackers[draw.bits(bout, n) % attackers.length] ?? 0;
    const started = hour * hourSeconds + draw.between(bout, n + 1, [0, hourSeconds - 1]);
    const here = statusAt(attacker, started);
    if (here.state !== "Okay" && here.state !== "Abroad") return [];
    const wanted = wantedPart * score(attacker) * Math.exp(spread * draw.normal(bout, n + 2));
    const best = players.findIndex((index) => score(index) >= wanted);
    const from = best < 0 ? players.length - 1 : best;
    const faction = world.drawnFaction(attacker);
    for (let step = 0; step < 2 * reach; step++) {
      const defender = players[from + (step % 2 === 0 ? step / 2 : -(step + 1) / 2)];
      if (defender === undefined || defender === attacker) continue;
      if (faction !== null && world.drawnFaction(defender) === faction) continue;
      if (statusAt(defender, started).description !== here.description) continue;
      const won = draw.unit(bout, n + 3) < chanceToWin(score(attacker), score(defender));
      const mark = draw.bits(bout, n + 4);
      return [
        {
          started,
          ended: started + draw.between(bout, n + 5, [8, 90]),
          attacker,
          defender,
          result: kindOf(won, draw.unit(bout, n + 6)),
          stealthed: draw.unit(bout, n + 7) < stealthShare,
          overseas: here.state === "Abroad",
          mark,
          order: mark,
        },
      ];
    }
    return [];
  }

  function retaliation(clash: Clash): Clash[] {
    const { attacker, mark } = clash;
    const faction = world.drawnFaction(clash.defender);
    if (faction === null || !isWon(clash.result) || clash.stealthed || clash.overseas) return [];
    const delay = Math.ceil(-meanDelay * Math.log(1 - retaliations.unit(mark, 1)));
    if (retaliations.unit(mark) >= answered || delay >= retaliationWindow) return [];
    const ended = clash.ended + delay;
    const members = world.firstMembers(faction);
    const avenger = [2, 3, 4, 5, 6, 7]
      .map((n) => members[retaliations.bits(mark, n) % members.length] ?? 0)
      .find(
        (index) =>
          index !== clash.defender &&
          score(index) > 0.7 * score(attacker) &&
          people.traits(index).silentSince === null &&
          statusAt(index, ended).state === "Okay",
      );
    if (avenger === undefined || statusAt(attacker, ended).state !== "Okay") return [];
    const won = retaliations.unit(mark, 8) < chanceToWin(score(avenger), score(attacker));
    const own = retaliations.bits(mark, 10);
    return [
      {
        started: ended - Math.min(delay, 20),
        ended,
        attacker: avenger,
        defender: attacker,
        result: kindOf(won, retaliations.unit(mark, 9)),
        stealthed: false,
        overseas: false,
        mark: own,
        order: own,
      },
    ];
  }

  const hours = createCache<Clash[]>(rememberedHours);
  function begunIn(bout: number, hour: number): Clash[] {
    return hours.through(hour * 1_000 + bout, () => {
      const day = Math.floor(hour / 24);
      const lists = days.through(day, () => dealt(day))[bout];
      if (!lists) return [];
      const count = Math.round(lists.attackers.length * attacksPerHour);
      return Array.from({ length: count }, (_, nth) => hit(lists, { bout, hour, nth }))
        .flat()
        .flatMap((clash) => [clash, ...retaliation(clash)]);
    });
  }

  /** A player that a verb moved fights by verbs alone from then on. */
  const stayed = ({ attacker, defender, ended }: Clash) =>
    [attacker, defender].every((index) => factionOf(index, ended) === world.drawnFaction(index));

  function endedIn(
    hour: number,
    boutOn: (day: number) => number,
    concerns: (clash: Clash) => boolean,
  ): Clash[] {
    const drawn = [hour - 1, hour].flatMap((begun) =>
      begunIn(boutOn(Math.floor(begun / 24)), begun).filter(stayed),
    );
    return [...drawn, ...made]
      .filter((clash) => Math.floor(clash.ended / hourSeconds) === hour && concerns(clash))
      .sort(byTime);
  }

  const ofFactionIn = (faction: number, hour: number): Clash[] =>
    endedIn(
      hour,
      (day) => boutOfFaction(faction, day),
      ({ attacker, defender, ended }) =>
        factionOf(attacker, ended) === faction || factionOf(defender, ended) === faction,
    );

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

  function print(clash: Clash): Attack {
    const { attacker, defender, ended, mark, result, requested = {} } = clash;
    const at = new Date(ended * 1000);
    const [from, to] = [factionOf(attacker, ended), factionOf(defender, ended)];
    const answers =
      requested.retaliation ?? (from !== null && from !== to && isAnswer(clash, from));
    const modifiers = {
      fair_fight: printedFairFight(people.score(attacker, at), people.score(defender, at)),
      war: requested.war ? 2 : 1,
      retaliation: answers ? 1.5 : 1,
      group: 1,
      overseas: clash.overseas ? 1.25 : 1,
      chain: 1,
      warlord: 1,
    };
    const isRecruit = (index: number, faction: number | null) =>
      faction !== null && world.recruitAt(index, ended * 1000);
    const earns =
      isWon(result) &&
      (from === null || from !== to) &&
      !isRecruit(attacker, from) &&
      !isRecruit(defender, to);
    const factor = Object.values(modifiers).reduce((product, each) => product * each, 1);
    const due = earns ? hundredths(baseRespect(world.playerAt(defender).level) * factor) : 0;
    const gain = requested.respect ?? due;
    return {
      ...clash,
      id: ended * 2 ** 18 + (mark >>> 14),
      code: [0, 1, 2, 3]
        .map((part) => draw.bits(mark, attacker * 4 + part))
        .map((bits) => bits.toString(16).padStart(8, "0"))
        .join(""),
      attackerFaction: from,
      defenderFaction: to,
      modifiers,
      gain,
      loss: to === null ? 0 : hundredths(gain / 4),
    };
  }

  function* walk(
    range: TimeRange,
    now: Date,
    hourOf: (hour: number) => Clash[],
  ): Generator<Attack> {
    const present = toUnixSeconds(now);
    const from = Math.max(range.from, firstSecond, present - keptDays * daySeconds);
    const to = Math.min(range.to, present);
    const [first, last] = [Math.floor(from / hourSeconds), Math.floor(to / hourSeconds)];
    for (let step = 0; step <= last - first; step++) {
      const found = hourOf(range.sort === "ASC" ? first + step : last - step).filter(
        ({ ended }) => ended >= from && ended <= to,
      );
      for (const clash of range.sort === "ASC" ? found : found.reverse()) yield print(clash);
    }
  }

  return {
    ofFaction: (faction: number, range: TimeRange, now: Date) =>
      walk(range, now, (hour) => ofFactionIn(faction, hour)),
    ofPlayer: (index: number, range: TimeRange, now: Date) =>
      walk(range, now, (hour) =>
        endedIn(
          hour,
          (day) => boutOf(index, day),
          ({ attacker, defender }) => attacker === index || defender === index,
        ),
      ),
    /** The fight ends now. Omitted fields are drawn, or follow from the rules. */
    attack: (attacker: number, defender: number, requested: AttackQuery, now: Date): Attack => {
      const ended = toUnixSeconds(now);
      verbs += 1;
      const chance = chanceToWin(people.score(attacker, now), people.score(defender, now));
      const clash: Clash = {
        started: ended - 10,
        ended,
        attacker,
        defender,
        requested,
        result:
          requested.result ??
          kindOf(draw.unit(-1, 4 * verbs) < chance, draw.unit(-1, 4 * verbs + 1)),
        stealthed: requested.stealth ?? false,
        overseas: requested.overseas ?? false,
        mark: draw.bits(-1, 4 * verbs + 2),
        order: 2 ** 32 + verbs,
      };
      while ((made[0]?.ended ?? ended) < ended - keptDays * daySeconds) made.shift();
      made.push(clash);
      return print(clash);
    },
  };
}
