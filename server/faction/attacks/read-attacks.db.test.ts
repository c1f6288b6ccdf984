import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { retaliations } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import type { Context } from "#server/context";
import { readCallsLeft } from "#server/game/budget";
import { type AttackPageQuery, pageSize } from "#server/game/client";
import type { Attack, ListedAttack } from "#server/game/contract/attack";
import { gameCallError } from "#server/game/game-call-error";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { fight, fighter } from "#server/testing/fights";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { readAttacks } from "./read-attacks";
import { retaliationCutoff } from "./retaliation";
import { listOpenRetaliations } from "./store";

/** The faction's log of attacks is a test's own; all else is the product. */
const database = await testDatabase();
const { ctx: whole, clock, simulator } = await testContext({ database });
const ours = 7001;
const { openKey: key, playerId: reader } = await enrol(whole, "developer");
const member = await mintPlayer(whole, { factionId: ours });

let log: ListedAttack[] = [];
let asked: AttackPageQuery[] = [];
/** By the beginning of the fights, without the second of `from`. */
const pageOf = ({ from, sort }: AttackPageQuery) => {
  const rows = log
    .filter(({ started }) => !from || started > from)
    .sort((a, b) => a.started.getTime() - b.started.getTime());
  return (sort === "ASC" ? rows : rows.reverse()).slice(0, pageSize);
};
const ctx: Context = {
  ...whole,
  game: {
    ...whole.game,
    factionAttacks: async (_, page = {}) => {
      asked.push(page);
      return pageOf(page);
    },
  },
};

const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1_000);
const hit = (fields: Partial<Attack> = {}) =>
  fight({
    attacker: fighter(9, 7002),
    defender: fighter(member.id, ours),
    ended: ago(10),
    ...fields,
  });
const back = (fields: Partial<Attack> = {}): Attack => {
  const attack = fight({
    attacker: fighter(reader, ours),
    defender: fighter(9, 7002),
    ended: ago(5),
    ...fields,
  });
  return { ...attack, modifiers: { ...attack.modifiers, retaliation: 1.5 } };
};
const read = (calls = 5) => readAttacks(ctx, ours, { key, priority: "high", calls });
const open = async () =>
  (
    await listOpenRetaliations(database, { factionId: ours, since: retaliationCutoff(clock.now()) })
  ).map(({ code }) => code);
const seen = async () =>
  (await database.query.select().from(factions).where(eq(factions.id, ours)))[0]?.attacksSeen;

beforeEach(async () => {
  clock.advance(3_600);
  log = [];
  asked = [];
  await database.query.delete(retaliations);
  await database.query.update(factions).set({ attacksSeen: null }).where(eq(factions.id, ours));
});

test("a hit is kept without any chat server, and once, however often it is read (game 7.9)", async () => {
  log = [hit()];
  expect(await read()).toEqual({ attacks: 1, hits: 1 });
  expect(await read()).toEqual({ attacks: 1, hits: 0 });
  expect(await open()).toEqual([log[0]?.code]);
});

test("a hit that ended in the very second that was read last is not lost (game 7.10)", async () => {
  const [first, second] = [hit(), hit()];
  log = [first];
  await read();
  log = [first, second];
  expect(await read()).toMatchObject({ hits: 1 });
});

test("a fight that began before the newest one and ended after it is not lost", async () => {
  log = [hit({ started: ago(20), ended: ago(10) })];
  await read();
  clock.advance(30);
  const long = hit({ started: ago(310), ended: ago(15) });
  log.push(long);
  expect(await read()).toMatchObject({ hits: 1 });
  expect(await open()).toContain(long.code);
});

test("a fight that goes on is read when it is over, and stops nothing meanwhile", async () => {
  const over = hit({ ended: ago(5) });
  const going: ListedAttack = { ...hit({ started: ago(100) }), ended: null, result: "None" };
  log = [going, over];
  expect(await read()).toEqual({ attacks: 1, hits: 1 });
  clock.advance(200);
  log = [{ ...going, ended: ago(1), result: "Hospitalized" }, over];
  await read();
  expect(await open()).toContain(going.code);
});

test("rows of others among the faction's own are left out, and cost no further call", async () => {
  log = [hit(), fight({ attacker: fighter(5, 7003), defender: fighter(6, null), ended: ago(8) })];
  expect(await read()).toEqual({ attacks: 1, hits: 1 });
  expect(asked).toHaveLength(1);
  expect(await seen()).toEqual(ago(8));
});

test("rows that cannot be read are counted with the run", async () => {
  const rows = [hit()];
  Object.defineProperty(rows, "unreadable", { value: { rows: 2, why: [] } });
  const odd: Context = { ...ctx, game: { ...ctx.game, factionAttacks: async () => rows } };
  expect(await readAttacks(odd, ours, { key, priority: "high", calls: 5 })).toEqual({
    attacks: 1,
    hits: 1,
    unreadable: 2,
  });
});

test("more than a hundred attacks between two readings are all read (game 7.10)", async () => {
  log = Array.from({ length: 250 }, (_, index) => hit({ ended: ago(299 - index) }));
  expect(await read()).toMatchObject({ hits: 250 });
  expect(asked).toHaveLength(3);
  expect(await open()).toHaveLength(250);
});

test("after an outage the log is read on in portions, and what can still be answered at once", async () => {
  log = [
    ...Array.from({ length: 1_000 }, (_, index) => hit({ ended: ago(7_200 - index * 6) })),
    hit({ ended: ago(30), defender: fighter(reader, ours) }),
  ];
  await read();
  expect(asked).toHaveLength(5);
  expect(asked.at(-1)).toMatchObject({ sort: "DESC" });
  expect(await open()).toContain(log.at(-1)?.code);
  expect((await seen())?.getTime()).toBeLessThan(ago(3_600).getTime());
  await read();
  await read();
  expect(await seen()).toEqual(log.at(-1)?.ended);
});

test("a run that may make one call makes one", async () => {
  log = Array.from({ length: 300 }, (_, index) => hit({ ended: ago(3_000 - index) }));
  await read(1);
  expect(asked).toHaveLength(1);
});

test("a second with more attacks than a page holds does not stop the sync", async () => {
  const crowded = Array.from({ length: 150 }, () => hit({ ended: ago(100) }));
  log = [...crowded, hit({ ended: ago(50) })];
  await read();
  await read();
  expect(await open()).toContain(log.at(-1)?.code);
  expect(asked).toHaveLength(5 + 1);
});

test("attacks of more than a day ago are not asked for", async () => {
  await database.query
    .update(factions)
    .set({ attacksSeen: ago(90 * 86_400) })
    .where(eq(factions.id, ours));
  await read();
  expect(asked[0]?.from).toEqual(ago(86_400));
});

test("once any of ours strikes back, the hit is answered and shows no more (game 7.11)", async () => {
  log = [hit(), hit({ attacker: fighter(8, 7002) })];
  await read();
  log.push(back({ result: "Attacked" }));
  await read();
  expect(await open()).toEqual([log[1]?.code]);
});

test("a hit that comes after we struck back is open again", async () => {
  log = [hit({ ended: ago(60) }), back({ ended: ago(30) }), hit({ ended: ago(10) })];
  await read();
  expect(await open()).toEqual([log[2]?.code]);
});

test("a name that is missing or strange keeps no hit from being stored (game 7.12)", async () => {
  log = [
    hit({ attacker: { ...fighter(9, null), name: "" } }),
    hit({ attacker: { ...fighter(7, 7002), name: "💥 ‮x" } }),
  ];
  expect(await read()).toMatchObject({ hits: 2 });
});

const foreign = (seconds: number) =>
  fight({ attacker: fighter(5, 7003), defender: fighter(6, 7004), ended: ago(seconds) });
const spent = async () => 60 - (await readCallsLeft(whole, reader, "user"));

test("attacks of another faction, read with the key of somebody who moved there, change nothing here", async () => {
  simulator.control.setPlayer({ playerId: reader, factionId: 7002 });
  simulator.control.clearCache();
  log = [foreign(10)];
  await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
  expect(await seen()).toBeNull();
  const [moved] = await database.query.select().from(players).where(eq(players.id, reader));
  expect(moved?.factionId).toBe(7002);
  simulator.control.setPlayer({ playerId: reader, factionId: ours, position: "Officer" });
  simulator.control.clearCache();
  await enrol(whole, "developer");
});

test("a log that holds rows of others alone is read on, and its reader is looked up once for each that is new", async () => {
  log = [foreign(40), foreign(20)];
  expect(await read()).toEqual({ attacks: 0, hits: 0 });
  expect(await seen()).toEqual(ago(20));
  expect(await spent()).toBe(3);
  expect(await read()).toEqual({ attacks: 0, hits: 0 });
  expect(await spent()).toBe(4);
  log.push(hit());
  expect(await read()).toEqual({ attacks: 1, hits: 1 });
  expect(await spent()).toBe(5);
  expect(await database.query.$count(retaliations)).toBe(1);
});

test("pages that were read before the game failed are kept", async () => {
  log = Array.from({ length: 150 }, (_, index) => hit({ ended: ago(290 - index) }));
  const failing: Context = {
    ...ctx,
    game: {
      ...ctx.game,
      factionAttacks: async (text, page) => {
        if (asked.length > 0) throw gameCallError({ kind: "server-side", detail: "in a test" });
        return ctx.game.factionAttacks(text, page);
      },
    },
  };
  const sync = readAttacks(failing, ours, { key, priority: "high", calls: 5 });
  await expect(sync).rejects.toMatchObject({ kind: "server-side" });
  expect(await open()).toHaveLength(100);
});

test("a hit on a former member is not listed", async () => {
  log = [hit()];
  await read();
  await database.query.update(players).set({ factionId: 7002 }).where(eq(players.id, member.id));
  expect(await open()).toEqual([]);
  await database.query.update(players).set({ factionId: ours }).where(eq(players.id, member.id));
  expect(await open()).toHaveLength(1);
});
