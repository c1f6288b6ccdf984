import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { players } from "#db/schema/players";
import { battleStats, statEstimates } from "#db/schema/stats";
import { demoPeople } from "#simulator/demo-people";
import type { Fault } from "#simulator/faults";
import { lanternwatch } from "./testing/banking-world";
import { testDatabase } from "./testing/database";
import { enrol } from "./testing/enrol";
import { populatedWorld } from "./testing/populated-world";

/** Endpoints that call the game for a waiting caller, under every fault of the simulated game. */
const world = await populatedWorld(await testDatabase());
const { ctx, clock, simulator, people, api, log } = world;
const on = ctx.database.query;
const member = people.member.playerId;
const day = 86_400;
/** Milliseconds; a proxy in front gives up after ten seconds. */
const longestWait = 8_000;

type Trouble = Partial<Fault>;
const passing = [503, 4101];
const lasting = [502, 4100];
const late = [504, 4101];
const noKey = [404, 1201];

const troubles: [string, Trouble, number[]][] = [
  ...[5, 8, 11, 14, 17].map((code): [string, Trouble, number[]] => [
    `code ${code}`,
    { code },
    passing,
  ]),
  ...[6, 23, 27, 99].map((code): [string, Trouble, number[]] => [
    `code ${code}`,
    { code },
    lasting,
  ]),
  ...[2, 7, 13, 16, 18].map((code): [string, Trouble, number[]] => [
    `code ${code}`,
    { code },
    noKey,
  ]),
  ...[502, 429].map((http): [string, Trouble, number[]] => [`HTTP ${http}`, { http }, passing]),
  ...[201, 401, 404].map((http): [string, Trouble, number[]] => [
    `HTTP ${http}`,
    { http },
    lasting,
  ]),
  ["a page that wants to see a browser", { cloudflare: true }, passing],
  ["a cut connection", { drop: true }, passing],
  ["text that is no JSON", { malformed: true }, lasting],
  ["half an answer", { truncate: true }, lasting],
  ["50 MB", { huge: true }, lasting],
  ["nothing", { empty: true }, lasting],
  ["bytes that are no UTF-8", { encoding: true }, lasting],
  ["other types", { wrongTypes: true }, lasting],
  ["a redirect", { redirect: "http://127.0.0.1:9/elsewhere" }, lasting],
  ["no answer in time", { delayMs: 20_000 }, late],
];

const timed = async <T>(work: Promise<T>) => {
  const begun = performance.now();
  const result = await work;
  return { ...result, took: performance.now() - begun };
};
const row = async (id: number) => (await on.select().from(players).where(eq(players.id, id)))[0];
const everybody = ["identity", "faction", "service_key:usage"] as const;
const secretsOfKeys = new RegExp(demoPeople.map(({ key }) => key).join("|"));

const holder = (role: "member" | "banker") => {
  const { accountId, playerId } = people[role];
  return { accountId, playerId, scopes: everybody };
};

beforeEach(async () => {
  simulator.control.clearFaults();
  // Effects of the last fault on keys, budgets and connections have expired by then.
  clock.advance(day);
  for (const { role } of demoPeople) await enrol(ctx, role);
  await world.forgetRequests();
  await on.delete(battleStats);
  simulator.control.clearCache();
  log.lines.length = 0;
  for (const role of ["member", "banker"] as const) world.wire.know(role, holder(role));
});

describe.each(troubles)(
  "RE-52, RE-53: a game that answers with %s",
  (_, trouble, [status, code]) => {
    test("is told as such within eight seconds, and leaves nothing half done", async () => {
      const before = await row(member);
      clock.advance(601);
      const fault = { ...trouble, until: new Date(clock.now().getTime() + 60_000) };
      simulator.control.addFault({ ...fault, path: "faction" });
      simulator.control.addFault({ ...fault, path: "user" });
      const [vault, created, refreshed, estimate] = await Promise.all([
        timed(api("banker", "/faction/banking/vault")),
        timed(
          api("member", `/faction/${lanternwatch}/banking`, {
            ...{ method: "POST", body: { amount: 1, type: "money_balance" } },
            headers: { "idempotency-key": "again" },
          }),
        ),
        timed(api("member", `/user/${member}?refresh=true`)),
        timed(api("member", `/user/estimate/${member}`)),
      ]);
      for (const answer of [vault, created])
        expect([answer.status, answer.json]).toMatchObject([status, { code }]);
      expect([404, 502, 503, 504]).toContain(refreshed.status);
      expect([1100, 1200, 4100, 4101]).toContain((refreshed.json as { code: number }).code);
      // An old estimate with its expiration is better than an error.
      expect([estimate.status, estimate.json]).toMatchObject([200, { stat_score: 15_000 }]);

      const answers = [vault, created, refreshed, estimate];
      for (const { took } of answers) expect(took).toBeLessThan(longestWait);
      for (const { text } of answers) expect(text).not.toMatch(secretsOfKeys);
      expect(JSON.stringify(log.lines)).not.toMatch(secretsOfKeys);
      await ctx.settled();
      expect(await world.stored()).toEqual([]);
      const { lastAttempt, ...after } = (await row(member)) ?? {};
      expect({ ...after, factionApiAccess: null }).toEqual({
        ...before,
        factionApiAccess: null,
        lastAttempt: undefined,
      });
      expect(await on.select().from(statEstimates)).toHaveLength(1);

      // The same idempotency key works later, because a failure above 499 is not stored.
      simulator.control.clearFaults();
      clock.advance(day);
      for (const { role } of demoPeople) await enrol(ctx, role);
      const again = await api("member", `/faction/${lanternwatch}/banking`, {
        ...{ method: "POST", body: { amount: 1, type: "money_balance" } },
        headers: { "idempotency-key": status === 404 ? "another" : "again" },
      });
      expect(again.status).toBe(200);
      expect(await world.stored()).toHaveLength(1);
    });
  },
);

test("RE-52: a game that answers late, each of several questions in its time, keeps nobody waiting for their sum", async () => {
  clock.advance(601);
  const slow = { delayMs: 4_500, until: new Date(clock.now().getTime() + 60_000) };
  simulator.control.addFault({ ...slow, path: "faction", code: 18 });
  simulator.control.addFault({ ...slow, path: "user" });
  simulator.control.addFault({ ...slow, path: "key" });
  const answers = await Promise.all([
    timed(api("member", "/faction/banking/vault")),
    timed(api("banker", `/user/${member}?refresh=true`)),
    timed(api("banker", `/user/estimate/${member}`)),
  ]);
  for (const { took } of answers) expect(took).toBeLessThan(longestWait);
  expect(answers.map(({ status }) => status)).toEqual([504, 504, 200]);
}, 20_000);
