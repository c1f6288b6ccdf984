import { expect, test } from "vitest";
import { PersonalStats, TrainedStats } from "./user";

test("battle stats are the values, without what drugs and buildings add for the moment", () => {
  const stat = (value: number) => ({ value, modifier: 50, modifiers: [] });
  const battlestats = {
    strength: stat(1),
    defense: stat(2),
    speed: stat(3),
    dexterity: stat(9e11),
    total: 6,
  };
  expect(TrainedStats.parse(battlestats)).toEqual({
    strength: 1,
    defense: 2,
    speed: 3,
    dexterity: 9e11,
  });
});

/** As the game nests them, with neighbours that we do not use. */
const personalstats = {
  attacking: {
    attacks: { won: 10, lost: 2, stalemate: 1, assist: 0, stealth: 3 },
    defends: { won: 4, lost: 5, stalemate: 0, total: 9 },
    elo: 1420,
    highest_level_beaten: 61,
    killstreak: { best: 12 },
    damage: { total: 99_000, best: 1234 },
    faction: { respect: 77, retaliations: 1, ranked_war_hits: 8, raid_hits: 0, territory: {} },
  },
  jobs: { job_points_used: 5, trains_received: 6 },
  items: { found: {}, used: { books: 0, boosters: 15, energy_drinks: 16, stat_enhancers: 17 } },
  drugs: { cannabis: 0, xanax: 300, total: 310, overdoses: 2 },
  networth: { total: -5_000, wallet: 1 },
  other: {
    activity: { time: 1_000_000, streak: { best: 90, current: 30 } },
    awards: 210,
    donator_days: 44,
    refills: { energy: 100, nerve: 3 },
  },
};

test("counters come out of their groups under flat names", () => {
  expect(PersonalStats.parse(personalstats)).toEqual({
    xanax: 300,
    overdoses: 2,
    energyRefills: 100,
    donatorDays: 44,
    awards: 210,
    timeActive: 1_000_000,
    currentStreak: 30,
    bestStreak: 90,
    bestDamage: 1234,
    attacksWon: 10,
    attacksLost: 2,
    defendsWon: 4,
    elo: 1420,
    warHits: 8,
    respect: 77,
    statEnhancers: 17,
    energyDrinks: 16,
    boosters: 15,
    jobTrains: 6,
    networth: -5_000,
  });
});

test("a counter that is missing or null is null, never 0: the existing service's null counters broke its model (mistake 60)", () => {
  const counters = PersonalStats.parse({ attacking: { elo: null, attacks: null }, other: {} });
  expect(Object.keys(counters)).toHaveLength(20);
  expect(new Set(Object.values(counters))).toEqual(new Set([null]));
});

test.each([
  ["text", { drugs: { xanax: "300" } }],
  ["a whole group", { drugs: { xanax: { total: 300 } } }],
  ["below a number", { drugs: 300 }],
  ["more than a number holds exactly", { drugs: { xanax: 9007199254740993n } }],
])("a counter that is %s refuses the answer", (_, wrong) => {
  expect(PersonalStats.safeParse(wrong).success).toBe(false);
});

test("an answer without counters is refused", () => {
  for (const wrong of [undefined, null, []])
    expect(PersonalStats.safeParse(wrong).success).toBe(false);
});
