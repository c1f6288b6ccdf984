import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { Redis } from "ioredis";
import { type Database, openPostgres } from "#db/client";
import { openPglite } from "#db/pglite";
import { startPostgres } from "#server/testing/postgres";
import { startProduct } from "#server/testing/product";
import { startRedis } from "#server/testing/redis";
import { demoPersonOf } from "#simulator/demo-people";
import { type Aftermath, runEveryFlow } from "../support/every-flow";
import { RecordingVisitor, type Secrets } from "../support/recording-visitor";
import { expect, test } from "../support/test";

/** Everything that can be logged, without the demo, which prints its keys. */
const loud = {
  DEMO: "0",
  LOG_LEVEL: "trace",
  RATE_CLIENT_FAILURES: "1000",
  REFRESH_REUSE_SECONDS: "600",
};

/** Kinds of secrets in the text, in plain or hex. */
const found = (text: string, secrets: Secrets): string[] =>
  [...secrets]
    .filter(([value]) => text.includes(value) || text.includes(Buffer.from(value).toString("hex")))
    .map(([, kind]) => kind);

async function dump(database: Database): Promise<string> {
  const rowsOf = async (statement: string) =>
    (await database.query.execute(sql.raw(statement))) as unknown as {
      rows?: { text: string }[];
    } & { text: string }[];
  const texts = async (statement: string) => {
    const answer = await rowsOf(statement);
    return [...(answer.rows ?? answer)].map(({ text }) => text);
  };
  const tables = await texts(
    "select format('%I.%I', schemaname, tablename) as text from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const all = await Promise.all(
    tables.map((table) => texts(`select t::text as text from ${table} as t`)),
  );
  expect(tables.length).toBeGreaterThan(10);
  return all.flat().join("\n");
}

/** RE-05: ended rights stay ended and live ones continue, in a process without memory. */
async function expectAftermath(
  url: string,
  { app, ended, alive }: Aftermath,
  secrets: Secrets,
): Promise<void> {
  const visitor = new RecordingVisitor(url, secrets);
  expect(await visitor.apiStatus(alive.access)).toBe(200);
  expect(await visitor.isSignedIn(alive.cookie)).toBe(true);
  const next = await visitor.refreshed(app, { access: alive.access, refresh: alive.refresh });
  for (const access of [...ended.access, alive.access])
    expect(await visitor.apiStatus(access)).toBe(401);
  for (const cookie of ended.cookies) expect(await visitor.isSignedIn(cookie)).toBe(false);
  for (const secret of ended.secrets)
    expect(
      (
        await visitor.ask("token", secret, {
          grant_type: "refresh_token",
          refresh_token: next.refresh,
        })
      ).status,
    ).toBe(401);
  for (const refresh of ended.refresh)
    expect(
      (await visitor.ask("token", app, { grant_type: "refresh_token", refresh_token: refresh }))
        .status,
    ).toBe(400);
  for (const code of ended.codes) expect((await visitor.ask("token", app, code)).status).toBe(400);
  expect(await visitor.apiStatus(next.access)).toBe(200);
}

/** Runs every flow, kills the product, restarts it on the same data and checks state and output. */
async function runTwice(
  settings: Readonly<Record<string, string>>,
  secrets: Secrets,
): Promise<void> {
  const first = await startProduct(settings);
  const aftermath = await runEveryFlow(first.url, demoPersonOf("developer").key, secrets);
  await first.end("SIGKILL");
  const second = await startProduct(settings);
  await expectAftermath(second.url, aftermath, secrets);
  expect(await second.end("SIGTERM")).toBe(0);
  for (const product of [first, second]) await product.stop();
  const output = first.output() + second.output();
  expect(secrets.size).toBeGreaterThan(40);
  await test.step("no log line shows one, nor lets anybody write lines of their own (SC-04, SC-09)", () => {
    expect(found(output, secrets)).toEqual([]);
    expect(output).not.toMatch(/^forged/m);
    expect(output).not.toContain("\u001b");
  });
}

test("on PGlite no secret is ever stored or logged, and nothing that ended comes back with a restart (SC-01, SC-04, SC-09, RE-05)", async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), "adjutant-secrets-"));
  const secrets: Secrets = new Map();
  await runTwice({ ...loud, DATA_DIR }, secrets);
  const database = await openPglite(DATA_DIR, () => {});
  expect(found(await dump(database), secrets)).toEqual([]);
  await database.close();
  // Also deleted rows, and the journal.
  for (const file of await readdir(DATA_DIR, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(path.join(file.parentPath, file.name));
    const kinds = [...secrets].filter(([value]) => bytes.includes(value)).map(([, kind]) => kind);
    expect([file.name, kinds]).toEqual([file.name, []]);
  }
  await rm(DATA_DIR, { recursive: true, force: true });
});

test("on PostgreSQL and Redis no secret is ever stored or logged, and nothing that ended comes back with a restart (SC-01, SC-04, SC-09, RE-05)", async () => {
  const postgres = await startPostgres();
  const redis = await startRedis();
  const SERVER_SECRET = randomBytes(48).toString("base64");
  const secrets: Secrets = new Map([[SERVER_SECRET, "server secret"]]);
  const DATABASE_URL = postgres.url("postgres");
  await runTwice(
    { ...loud, DATABASE_URL, SERVER_SECRET, ...(redis && { REDIS_URL: redis.url }) },
    secrets,
  );
  const database = openPostgres({ url: DATABASE_URL });
  expect(found(await dump(database), secrets)).toEqual([]);
  await database.close();
  if (redis) {
    const counters = new Redis(redis.url);
    const keys = await counters.keys("*");
    expect(keys.length).toBeGreaterThan(0);
    expect(found(keys.join("\n"), secrets)).toEqual([]);
    counters.disconnect();
    await redis.stop();
  }
  await postgres.stop();
});
