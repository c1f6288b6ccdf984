import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "playwright/test";
import { openPostgres } from "#db/client";
import { startPostgres } from "#server/testing/postgres";
import { startRedis } from "#server/testing/redis";
import { startUpstashDouble } from "#server/testing/upstash-double";
import { demoPersonOf } from "#simulator/demo-people";
import { type NextServer, openBuildFolder, startNext } from "../support/next-server";
import { openVisitor } from "../support/visitor";

const token = "of-the-store";
const cronSecret = "of-the-timetable-0123456789-abcdefghij";
const platformHeader = "x-platform-for";
const holderLimit = 40;
/** Milliseconds. Connections unused for five seconds are not trusted. */
const stopped = 6_000;

/** Two functions of one deployment, with a shared database and counter store. */
let functions: readonly NextServer[] = [];
let folder = "";
/** Answer of the first function before the schema existed. */
let early = { status: 0, code: 0, output: "" };
let database: ReturnType<typeof openPostgres>;
let stop = async () => {};

test.beforeAll(async () => {
  const redis = await startRedis();
  test.skip(!redis, "there is neither redis-server nor TEST_REDIS_URL");
  const postgres = await startPostgres();
  const store = await startUpstashDouble(redis?.url ?? "", token);
  const admin = openPostgres({ url: postgres.url("postgres") });
  await admin.script("create database functions");
  await admin.close();
  const settings = {
    ...{
      DATABASE_URL: postgres.url("functions"),
      SERVER_SECRET: randomBytes(48).toString("base64"),
      DEMO: "still",
    },
    ...{ UPSTASH_REDIS_REST_URL: store.url, UPSTASH_REDIS_REST_TOKEN: token },
    ...{
      SERVERLESS: "on",
      TRUSTED_PLATFORM_HEADER: platformHeader,
      CRON_SECRET: cronSecret,
      CRON_SECONDS: "4",
    },
    RATE_HOLDER: String(holderLimit),
  };
  folder = openBuildFolder();
  const first = await startNext(settings, { answers: 503, folder });
  const answer = await fetch(`${first.url}/api/v1/user`);
  early = { status: answer.status, code: (await answer.json()).code, output: first.output() };

  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, NODE_ENV: "production" as const, ...settings };
  execFileSync("node_modules/.bin/tsx", ["scripts/migrate.ts"], { env });
  const ready = async () => (await fetch(`${first.url}/health/ready`)).status;
  await expect.poll(ready).toBe(200);
  functions = [first, await startNext({ ...settings, BASE_URL: first.url }, { folder })];
  database = openPostgres({ url: settings.DATABASE_URL });
  stop = async () => {
    for (const each of functions) each.stop();
    await database.close();
    await store.stop();
    await postgres.stop();
    await redis?.stop();
  };
});
test.afterAll(() => stop());

const rows = async (text: string): Promise<Record<string, unknown>[]> =>
  (await database.query.execute(sql.raw(text))) as unknown as Record<string, unknown>[];
let calls = 0;
const call = ({ port }: NextServer, accessToken: string, path = "/user") => {
  calls += 1;
  return fetch(`http://localhost:${port}/api/v1${path}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
};

test("migrations are no function's business: before them calls are 503, and the log says what to run", () => {
  expect(early).toMatchObject({ status: 503, code: 5003 });
  expect(early.output).toContain("npm run db:migrate");
});

test("a player lets an application in and it calls: limits count both functions, one connection each, every call logged", async () => {
  const [one, other] = functions as [NextServer, NextServer];
  const visitor = await openVisitor(one.url, demoPersonOf("developer").key);
  const redirectUri = "https://client.test/cb";
  const client = await visitor.register({ name: "Night Watch", redirectUri, scopes: ["identity"] });
  const { accessToken } = await visitor.authorize(client, { redirectUri, scopes: ["identity"] });

  // Clock minutes: the second try lies within one.
  await expect(async () => {
    const statuses: number[] = [];
    for (let n = 0; n < holderLimit + 4; n++)
      statuses.push((await call(n % 2 ? one : other, accessToken)).status);
    expect(statuses).toEqual([...Array(holderLimit).fill(200), ...Array(4).fill(429)]);
  }).toPass();
  // The deferred work of the sign-in has its own minute.
  await expect(async () => {
    for (const each of functions) await (await call(each, accessToken)).text();
    const [open] = await rows(
      "select count(*)::int as n from pg_stat_activity where datname = 'functions' and pid <> pg_backend_pid()",
    );
    expect(open?.n).toBe(functions.length);
  }).toPass();

  // Lines are written after the answer.
  await expect
    .poll(async () => (await rows("select count(*)::int as n from request_log"))[0]?.n)
    .toBe(calls);
});

test("jobs run when the timetable asks, with its secret alone, and two that ask at once share them", async () => {
  const [one, other] = functions as [NextServer, NextServer];
  const ask = ({ port }: NextServer, secret: string, init: RequestInit = {}) =>
    fetch(`http://localhost:${port}/cron/jobs`, {
      ...init,
      headers: { authorization: `Bearer ${secret}` },
    });
  for (const wrong of ["", "x", `${cronSecret}x`, cronSecret.slice(1)])
    expect((await ask(one, wrong)).status).toBe(401);
  expect((await ask(one, cronSecret, { method: "POST" })).status).toBe(405);
  expect(await rows("select 1 from job_runs")).toHaveLength(0);

  const answers = await Promise.all([ask(one, cronSecret), ask(other, cronSecret)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const runs = await rows("select job, slot, count(*)::int as n from job_runs group by job, slot");
  expect(runs.length).toBeGreaterThan(5);
  expect(runs.filter(({ n }) => n !== 1)).toEqual([]);
  expect(await rows("select 1 from job_runs where finished_at is null")).toHaveLength(0);
});

test("a function that was stopped for longer than its connection lived answers its next call", async () => {
  const [one] = functions as [NextServer];
  /** Queries the database for the missing application. */
  const look = async () => {
    const authorization = `Basic ${Buffer.from(`${randomBytes(8).toString("hex")}:x`).toString("base64")}`;
    return (
      await fetch(`${one.url}/oauth/introspect`, {
        method: "POST",
        headers: { authorization },
        body: new URLSearchParams({ token: "x" }),
      })
    ).status;
  };
  expect(await look()).toBe(401);
  one.signal("SIGSTOP");
  await rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'functions' and pid <> pg_backend_pid()",
  );
  await wait(stopped);
  one.signal("SIGCONT");
  expect(await look()).toBe(401);
});

/** Files that a platform copies into the function of a route or page. */
function filesOf(entry: string): string[] {
  const list = path.join(folder, ".next/server/app", `${entry}.js.nft.json`);
  const { files } = JSON.parse(readFileSync(list, "utf8")) as { files: string[] };
  return files.map((file) => path.relative("", path.resolve(path.dirname(list), file)));
}

test("a function is given what it imports, and neither sources nor the embedded database", () => {
  const given = filesOf("api/v1/[[...path]]/route");
  const of = (name: string) => given.filter((file) => file.startsWith(name));
  expect(of("db/")).toEqual(["db/migrations/meta/_journal.json"]);
  for (const name of ["@upstash/redis", "@upstash/ratelimit", "postgres", "pino", "ioredis"])
    expect([name, of(`node_modules/${name}/`).length > 0]).toEqual([name, true]);
  // Next adds the files of its instrumentation to all functions.
  const all = [...given, ...filesOf("../instrumentation")];
  for (const none of [
    "server/",
    "app/",
    "simulator/",
    ".git/",
    "docs/",
    "node_modules/@electric-sql/",
  ])
    expect(all.filter((file) => file.startsWith(none))).toEqual([]);
});
