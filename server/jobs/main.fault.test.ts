import { spawn } from "node:child_process";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { gameKeys } from "#db/schema/accounts";
import { gameBudgets, jobRuns } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { readCallsLeft } from "#server/game/budget";
import { testPostgresUrl } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { hostileUpstream } from "#server/testing/hostile-upstream";
import { testContext } from "#server/testing/test-context";
import { refreshUsersJob } from "#server/users/jobs/refresh-users";
import { createRunner } from "./runner";

const root = path.join(import.meta.dirname, "../..");
const secret = "tests-alone-use-this-Server-Secret-0123456789-abcdefghij";

/** Starts the worker with only PATH, and ends it when it prints `until`. */
function work(
  settings: Record<string, string>,
  until?: string | Promise<unknown>,
  signal: NodeJS.Signals = "SIGTERM",
) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "server/jobs/main.ts"], {
    cwd: root,
    env: { PATH, NODE_ENV: "production", LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const hear = (text: Buffer) => {
    output += text.toString();
    if (typeof until === "string" && output.includes(until)) child.kill(signal);
  };
  if (until instanceof Promise) until.then(() => child.kill(signal));
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}

test("a worker on the embedded database is refused with one line", async () => {
  const { code, output } = await work({});
  expect(code).toBe(1);
  expect(output).toMatch(/^DATABASE_URL is missing: .*\n$/);
});

test("a worker runs the jobs, and ends in order when it is told to", async () => {
  const url = await testPostgresUrl();
  const { code, output } = await work(
    { DATABASE_URL: url, SERVER_SECRET: secret },
    "The worker runs",
  );
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(/^The worker runs refresh-users, /),
  });
  const database = openPostgres({ url });
  const rows = await database.query.select().from(jobRuns);
  await database.close();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ job, outcome, error }) => [job, outcome, error])).toEqual(
    rows.map(({ job }) => [job, "done", null]),
  );
});

test("a worker killed in the middle of a run frees its lease; web and worker share budgets", async () => {
  const url = await testPostgresUrl();
  const upstream = await hostileUpstream();
  const database = openPostgres({ url });
  afterAll(() => database.close());
  const { query } = database;
  // A web server with JOBS=off beside it.
  const web = await testContext({ database, settings: { serverSecret: secret } });
  const { playerId } = await enrol(web.ctx, "developer");
  await query.update(players).set({ lastAttempt: new Date(0), lastRefresh: new Date(0) });
  await query.update(gameKeys).set({ ownerAttempt: new Date(0) });
  await query.delete(gameBudgets);

  const called = new Promise<void>((resolve) => upstream.behave(() => resolve()));
  const settings = { DATABASE_URL: url, SERVER_SECRET: secret, GAME_API_URL: `${upstream.url}/v2` };
  const { code } = await work(settings, called, "SIGKILL");
  expect(code).toBeNull();

  const [spent] = await query.select().from(gameBudgets).where(eq(gameBudgets.playerId, playerId));
  web.clock.set(spent?.slot ?? new Date(0));
  const calls = [spent?.used ?? 0, ...(spent?.earlier ?? [])].reduce((sum, each) => sum + each);
  expect(calls).toBeGreaterThan(0);
  expect(await readCallsLeft(web.ctx, playerId, "user")).toBe(60 - calls);

  const rows = () =>
    query.select().from(jobRuns).where(eq(jobRuns.job, "refresh-users")).orderBy(jobRuns.slot);
  const [lost] = await rows();
  if (!lost || lost.finishedAt) throw new Error("The worker was not in the middle of the run.");
  const runner = createRunner(web.ctx, [refreshUsersJob]);
  web.clock.set(new Date(lost.slot.getTime() + 60_000));
  await runner.look();
  expect(await rows()).toEqual([lost]);
  await query.update(jobRuns).set({ leaseUntil: new Date(0) });
  await runner.look();
  await runner.idle();
  const [closed, next] = await rows();
  expect(closed).toMatchObject({
    id: lost.id,
    outcome: "failed",
    error: "The process that ran it ended.",
  });
  expect(next).toMatchObject({ outcome: "done" });
});
