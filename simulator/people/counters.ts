import { createDraw } from "#simulator/draw";
import { type BattleStats, scoreOf } from "./battle-stats";
import type { Progress } from "./progress";
import { clamp, logistic, type Traits } from "./traits";

/** Published lifetime counters by flat name. */
export type Counters = ReadonlyMap<string, number>;

/**
 * Independent counters with their rate per active day. A counter keeps its stream number for good.
 */
const simpleCounters: readonly {
  name: string;
  stream: number;
  rate: (player: Traits) => number;
}[] = [
  { name: "attackswon", stream: 10, rate: ({ winRate }) => winRate },
  { name: "attacksdraw", stream: 11, rate: ({ winRate }) => 0.01 * winRate },
  { name: "attacksassisted", stream: 12, rate: ({ winRate }) => 0.02 * winRate },
  { name: "attacksstealthed", stream: 13, rate: ({ winRate }) => 0.12 * winRate },
  { name: "defendsstalemated", stream: 14, rate: () => 0.01 },
  { name: "unarmoredwon", stream: 15, rate: ({ winRate }) => 0.2 * winRate },
  { name: "yourunaway", stream: 16, rate: () => 0.03 },
  { name: "theyrunaway", stream: 17, rate: () => 0.05 },
  { name: "retals", stream: 18, rate: ({ winRate }) => 0.01 * winRate },
  {
    name: "rankedwarhits",
    stream: 19,
    rate: ({ winRate, dedication }) => 0.3 * winRate * logistic(dedication),
  },
  { name: "raidhits", stream: 20, rate: () => 0.01 },
  { name: "territoryjoins", stream: 21, rate: () => 0.02 },
  { name: "jobpointsused", stream: 22, rate: () => 1.5 },
  { name: "trainsreceived", stream: 23, rate: () => 0.15 },
  { name: "bazaarsales", stream: 24, rate: () => 0.8 },
  { name: "trades", stream: 25, rate: () => 0.25 },
  { name: "jailed", stream: 26, rate: () => 0.05 },
  { name: "peoplebusted", stream: 27, rate: () => 0.15 },
  { name: "hospital", stream: 28, rate: () => 0.4 },
  { name: "medicalitemsused", stream: 29, rate: () => 0.7 },
  { name: "revives", stream: 30, rate: () => 0.02 },
  { name: "revivesreceived", stream: 31, rate: () => 0.05 },
  { name: "mailssent", stream: 32, rate: () => 0.6 },
  { name: "criminaloffenses", stream: 33, rate: () => 8 },
  { name: "bountiesplaced", stream: 34, rate: () => 0.02 },
  { name: "bountiescollected", stream: 35, rate: () => 0.05 },
  { name: "itemsdumped", stream: 36, rate: () => 0.3 },
  { name: "booksread", stream: 37, rate: () => 0.005 },
  { name: "boostersused", stream: 38, rate: ({ dedication }) => 0.4 * logistic(-1.5 + dedication) },
  { name: "candyused", stream: 39, rate: ({ dedication }) => 0.9 * logistic(-1 + dedication) },
  { name: "alcoholused", stream: 40, rate: () => 0.2 },
  { name: "traveltimes", stream: 41, rate: () => 0.3 },
  { name: "cantaken", stream: 42, rate: () => 0.03 },
  { name: "exttaken", stream: 43, rate: ({ dedication }) => 0.1 * logistic(dedication) },
  { name: "lsdtaken", stream: 44, rate: () => 0.03 },
  { name: "victaken", stream: 45, rate: () => 0.05 },
  { name: "contractscompleted", stream: 46, rate: () => 0.12 },
  { name: "racingpointsearned", stream: 47, rate: () => 0.05 },
  { name: "nerverefills", stream: 48, rate: ({ dedication }) => 0.15 * logistic(dedication) },
  { name: "donatordays", stream: 49, rate: ({ dedication }) => logistic(dedication - 0.3) },
  { name: "awards", stream: 50, rate: () => 0.125 },
  { name: "specialammoused", stream: 51, rate: ({ winRate }) => 0.4 * winRate },
  { name: "defends", stream: 52, rate: () => 0.9 },
];

export function createCounters(world: {
  seed: number;
  progress: Progress;
  battleStats: BattleStats;
}) {
  const { progress, battleStats } = world;
  const draw = createDraw(world.seed, "counter-traits");

  /** A run breaks after the player's best one and restarts. */
  function streaks(player: Traits, day: number, activeDays: number) {
    const best = Math.floor(
      Math.min(activeDays, 3 + 400 * player.activity * draw.unit(player.index, 1) ** 3),
    );
    const current =
      player.silentDays !== null ? 0 : (day + draw.bits(player.index, 2)) % (best + 1);
    return { bestactivestreak: best, activestreak: current };
  }

  /** @param day days since 1970, UTC */
  return function counters(player: Traits, day: number): Counters {
    const { index } = player;
    // A map, because an object with this many computed names takes ten times as long.
    const counts = new Map<string, number>();
    for (const { name, stream, rate } of simpleCounters)
      counts.set(name, progress.counter(player, day, { stream, rate: rate(player) }));
    const get = (name: string) => counts.get(name) ?? 0;
    const activeDays = progress.activeDays(player, day);
    const took = battleStats.consumption(player, day);
    const stats = battleStats.of(player, day);
    const score = scoreOf(stats);
    const strongSide = logistic(0.5 * (Math.log(score) - 8.6));
    const defendsWon = Math.floor(get("defends") * (0.1 + 0.5 * logistic(player.dedication)));
    const lost = Math.floor(get("attackswon") * 0.13 * Math.exp(0.25 * draw.normal(index, 3)));
    const damage = Math.round(
      60 * (stats.strength + 1) ** 0.28 * Math.exp(0.1 * draw.normal(index, 4)),
    );
    const otherDrugs = get("cantaken") + get("exttaken") + get("lsdtaken") + get("victaken");
    const wealth = Math.log(200_000) + 1.1 * Math.log(1 + activeDays) + draw.normal(index, 5);
    const derived: Readonly<Record<string, number>> = {
      attackslost: lost,
      defendswon: defendsWon,
      defendslost: get("defends") - defendsWon,
      elo: Math.max(
        100,
        Math.round(1000 + 160 * (Math.log(score) - 8) + 120 * draw.normal(index, 6)),
      ),
      highestbeaten: clamp(
        Math.round(8 * Math.log1p(get("attackswon")) + 6 * draw.normal(index, 7)),
        1,
        100,
      ),
      bestkillstreak: Math.floor(5 + 0.1 * get("attackswon") ** 0.8),
      attackhits: Math.floor(get("attackswon") * 5.2),
      attackmisses: Math.floor(get("attackswon") * 2.1),
      attackcriticalhits: Math.floor(get("attackswon") * 0.9),
      onehitkills: Math.floor(get("attackswon") * (0.05 + 0.2 * strongSide)),
      attackdamage: Math.floor(get("attackswon") * damage * 0.9),
      bestdamage: damage,
      moneymugged: Math.floor(get("attackswon") * 40_000 * draw.unit(index, 8)),
      respectforfaction: Math.floor(get("attackswon") * 2.4),
      xantaken: took.stimulants,
      drugsused: took.stimulants + otherDrugs,
      overdosed: Math.floor((took.stimulants + otherDrugs) * 0.012),
      rehabs: Math.floor((took.stimulants + otherDrugs) / 40),
      energydrinkused: took.cans,
      statenhancersused: took.enhancers,
      refills: took.refills,
      useractivity: Math.floor(activeDays * (1_500 + 9_000 * player.activity)),
      traveltime: get("traveltimes") * 7_200,
      networth: Math.floor(Math.exp(wealth + 0.02 * draw.normal(index, 1_000 + day))),
      ...streaks(player, day, activeDays),
    };
    for (const name in derived) counts.set(name, derived[name] ?? 0);
    return counts;
  };
}
