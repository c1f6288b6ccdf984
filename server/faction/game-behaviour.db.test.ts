import { beforeEach, expect, test } from "vitest";
import { organizedCrimes, retaliations } from "#db/schema/faction";
import { factions } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import type { Behaviour } from "#simulator/behaviour";
import { demoPersonOf } from "#simulator/demo-people";
import { readAttacks } from "./attacks/read-attacks";
import { refreshCrimes } from "./crimes/refresh-crimes";

/*
 * What is not known of the game must be borne either way: what is read of a faction is the same, however the simulated game behaves.
 */
const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { control } = simulator;
const ours = 7001;
const { openKey: key } = await enrol(ctx, "developer");
const credentials = { key, priority: "high" } as const;
const usual: Behaviour = control.setBehaviour({});

const behaviours: readonly Partial<Behaviour>[] = [
  {},
  { attacksBy: "started" },
  { fromIncluded: true },
  { attacksBy: "started", fromIncluded: true, unfinishedFights: true, foreignAttacks: true },
  { blindMemory: true },
  { slotNumbers: false },
];

beforeEach(async () => {
  clock.advance(2 * 86_400);
  await database.query.delete(retaliations);
  await database.query.update(factions).set({ attacksSeen: null });
  control.setBehaviour(usual);
});

test.each(behaviours)(
  "every hit is kept, each once, where the game behaves so: %j",
  async (behaviour) => {
    control.setBehaviour(behaviour);
    const struck: string[] = [];
    for (let run = 0; run < 6; run++) {
      // The game's memory is 29 seconds long, and a hit comes just before a reading and just after it.
      for (const [attackerId, role] of [
        [demoPersonOf("outsider").playerId, "member"],
        [demoPersonOf("loner").playerId, "banker"],
      ] as const)
        struck.push(
          control.attack({
            attackerId,
            defenderId: demoPersonOf(role).playerId,
            result: "Mugged",
            respect: 2,
          }).code,
        );
      await readAttacks(ctx, ours, { ...credentials, calls: 5 });
      clock.advance(15);
    }
    await readAttacks(ctx, ours, { ...credentials, calls: 5 });
    const kept = (await database.query.select().from(retaliations)).map(({ code }) => code);
    expect(kept).toEqual(expect.arrayContaining(struck));
  },
);

test.each(behaviours)(
  "a day of a busy faction is read without a gap, where the game behaves so: %j",
  async (behaviour) => {
    control.setBehaviour(behaviour);
    const since = clock.now();
    const seen = new Set<string>();
    const counting = {
      ...ctx,
      game: {
        ...ctx.game,
        factionAttacks: async (...asked: Parameters<typeof ctx.game.factionAttacks>) => {
          const rows = await ctx.game.factionAttacks(...asked);
          for (const { code } of rows) seen.add(code);
          return rows;
        },
      },
    };
    await readAttacks(counting, ours, { ...credentials, calls: 5 });
    for (let run = 0; run < 8; run++) {
      clock.advance(3 * 3_600);
      await readAttacks(counting, ours, { ...credentials, calls: 5 });
    }
    control.setBehaviour(usual);
    const all: string[] = [];
    for (let hour = 0; hour < 23; hour++) {
      const [from, to] = [hour, hour + 1].map(
        (step) => new Date(since.getTime() + step * 3_600_000),
      );
      const rows = await ctx.game.factionAttacks(key.reveal(), {
        ...(from && { from }),
        ...(to && { to }),
      });
      all.push(...rows.map(({ code }) => code));
    }
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((code) => !seen.has(code))).toEqual([]);
  },
);

test.each(behaviours)(
  "crimes are stored whole, where the game behaves so: %j",
  async (behaviour) => {
    control.setBehaviour(behaviour);
    for (let run = 0; run < 4; run++) {
      await refreshCrimes(ctx, ours, { ...credentials, calls: 4 });
      clock.advance(6 * 3_600);
    }
    await refreshCrimes(ctx, ours, { ...credentials, calls: 4 });
    control.setBehaviour(usual);
    const known = (await database.query.select().from(organizedCrimes)).map(({ id }) => id);
    const available = await ctx.game.factionCrimes(key.reveal(), { category: "available" });
    const over = await ctx.game.factionCrimes(key.reveal(), { category: "completed" });
    expect(known).toEqual(expect.arrayContaining(available.crimes.map(({ crimeId }) => crimeId)));
    const named = over.crimes.flatMap(({ crimeId, slots }) =>
      slots.map(({ position, positionIndex }) => `${crimeId} ${position} ${positionIndex}`),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(new Set(named).size, "slots of one role in one crime are distinct").toBe(named.length);
  },
);

test.each(behaviours)(
  "of more hits than a page holds none is lost, where the game behaves so: %j",
  async (behaviour) => {
    control.setBehaviour(behaviour);
    const [attackerId, defenderId] = [
      demoPersonOf("outsider").playerId,
      demoPersonOf("member").playerId,
    ];
    const struck: string[] = [];
    for (let n = 0; n < 150; n++) {
      struck.push(control.attack({ attackerId, defenderId, result: "Mugged", respect: 2 }).code);
      clock.advance(1);
    }
    await readAttacks(ctx, ours, { ...credentials, calls: 5 });
    const kept = (await database.query.select().from(retaliations)).map(({ code }) => code);
    expect(kept).toEqual(expect.arrayContaining(struck));
  },
);
