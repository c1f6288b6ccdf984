import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { gameBudgets, jobRuns } from "#db/schema/operations";
import { factions, players } from "#db/schema/players";
import { refreshMembersJob } from "#server/faction/read-factions";
import { testPostgresUrl } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { refreshUsersJob } from "#server/users/jobs/refresh-users";
import { createRunner } from "./runner";

const url = await testPostgresUrl();
const databases = [openPostgres({ url }), openPostgres({ url })] as const;
afterAll(() => Promise.all(databases.map((database) => database.close())));

const one = await testContext({ database: databases[0] });
const { clock, simulator } = one;

/** Every call that reaches the game. */
const calls: { minute: number; key: string; path: string }[] = [];
const counting = async (request: Request) => {
  const key = request.headers.get("authorization")?.replace("ApiKey ", "") ?? "";
  const { pathname, searchParams } = new URL(request.url);
  const selections = searchParams.get("selections");
  const path = `${pathname}${selections ? `?${selections}` : ""}`;
  calls.push({ minute: Math.floor(clock.now().getTime() / 60_000), key, path });
  return simulator.fetch(request);
};
const instances = await Promise.all(
  databases.map((database) => testContext({ database, beside: one, gameFetch: counting })),
);

beforeEach(async () => {
  const { query } = databases[0];
  for (const table of [accounts, players, factions, jobRuns, gameBudgets])
    await query.delete(table);
  clock.advance(86_400);
  simulator.control.clearCache();
  calls.length = 0;
});

/** Both instances poll their jobs several times. */
async function minute(runners: ReturnType<typeof createRunner>[]): Promise<void> {
  clock.advance(60);
  simulator.control.clearCache();
  for (const _ of [1, 2, 3]) {
    await Promise.all(runners.map((each) => each.look()));
    await Promise.all(runners.map((each) => each.idle()));
  }
}

test("RE-56 two instances that poll the game ask about each player and each faction once a period in total", async () => {
  const people = [
    await enrol(one.ctx, "developer"),
    await enrol(one.ctx, "outsider"),
    await enrol(one.ctx, "loner"),
  ];
  const runners = instances.map(({ ctx }) =>
    createRunner(ctx, [refreshUsersJob, refreshMembersJob]),
  );
  clock.advance(3_601);
  calls.length = 0;
  // Ten minutes: owners are due every hour, listings every five minutes.
  for (let n = 0; n < 10; n++) await minute(runners);
  for (const { key } of people) {
    const own = calls.filter((call) => call.key === key && call.path.startsWith("/v2/user?"));
    expect(own.length).toBeGreaterThan(0);
    expect(
      calls.filter((call) => call.key === key && call.path.startsWith("/v2/key/info")),
    ).toHaveLength(1);
  }
  const listings = calls.filter(({ path }) => /^\/v2\/faction\/7001\/members/.test(path));
  expect(listings.length).toBe(2);
  const rows = await databases[0].query
    .select()
    .from(jobRuns)
    .where(eq(jobRuns.job, "refresh-members"));
  expect(rows).toHaveLength(10);
});

test("RE-56 both together never ask the game oftener with a player's keys than that player's budget allows", async () => {
  const { playerId, key } = await enrol(one.ctx, "developer");
  // A faction with one key and two hundred unrefreshed members.
  const strangers = Array.from({ length: 200 }, (_, n) => ({
    id: 900_001 + n,
    name: `Stranger${n}`,
    factionId: 7001,
  }));
  await databases[0].query.insert(players).values(strangers);
  calls.length = 0;
  const runners = instances.map(({ ctx }) => createRunner(ctx, [refreshUsersJob]));
  for (let n = 0; n < 5; n++) await minute(runners);
  const perMinute = new Map<number, number>();
  for (const call of calls) perMinute.set(call.minute, (perMinute.get(call.minute) ?? 0) + 1);
  const minutes = [...perMinute.values()];
  expect(Math.max(...minutes)).toBeLessThanOrEqual(30);
  // A call counts for slightly more than a minute, so a job that used its whole share finds it full
  // at the next run.
  expect(minutes.reduce((sum, made) => sum + made)).toBeGreaterThanOrEqual(80);
  expect(new Set(calls.map((call) => call.key))).toEqual(new Set([key]));
  const [row] = await databases[0].query
    .select()
    .from(gameBudgets)
    .where(eq(gameBudgets.playerId, playerId));
  expect((row?.used ?? 0) + (row?.earlier ?? []).reduce((sum, made) => sum + made, 0)).toBe(30);
});
