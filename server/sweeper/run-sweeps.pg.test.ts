import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import type { TokenReply } from "#server/oauth/grants/authorization-code";
import { testPostgresUrl } from "#server/testing/database";
import { livedTime } from "#server/testing/lived-time";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { runSweeps } from "./run-sweeps";

const url = await testPostgresUrl();
// Inserting the backlog takes longer than a call's deadline.
const database = openPostgres({ url, deadline: 120_000 });
afterAll(() => database.close());
const { ctx, clock, log } = await testContext({ database });
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const user = await mintUser(ctx);
const tokens = (await mintTokens(ctx, app, { user })) as TokenReply & { refresh_token: string };

const milliseconds = 1_500;
const mostRuns = 200;
const instant = (secondsAgo: number) =>
  `'${new Date(clock.now().getTime() - secondsAgo * 1_000).toISOString()}'::timestamptz`;

/**
 * 100,000 access tokens and as many refresh tokens, all expired: many short chains, and a few very
 * long ones.
 */
const outage = `
  insert into grants (id, consent_id, client_id, scopes, created_at, absolute_expiry)
    select gen_random_uuid(), consent.id, consent.client_id, '{identity}', ${instant(60 * 86_400)},
      ${instant(0)} + interval '100 days'
    from generate_series(1, 10000), (select id, client_id from consents limit 1) consent;
  create temporary table chains as
    select id, row_number() over () as number from grants where created_at = ${instant(60 * 86_400)};
  insert into access_tokens (hash, hash_key_id, grant_id, scopes, issued_at, expires_at)
    select 'access ' || n, 'k', chains.id, '{identity}', ${instant(40 * 86_400)}, ${instant(39 * 86_400)} + n * interval '1 ms'
    from generate_series(1, 100000) as n join chains on chains.number = 1 + n % 10000;
  insert into refresh_tokens (hash, hash_key_id, grant_id, issued_at, expires_at, consumed_at, sealed_reply)
    select 'refresh ' || n, 'k', chains.id, ${instant(40 * 86_400)}, ${instant(10 * 86_400)} + n * interval '1 ms',
      case when n > 4000 then ${instant(39 * 86_400)} end, case when n > 92000 then repeat('s', 200) end
    from generate_series(1, 100000) as n
      join chains on chains.number = case when n <= 4000 then n when n <= 60000 then 1 + n % 10000 else 1 + n % 20 end;
  drop table chains;`;

const rowsOf = async (table: string) => {
  const [row] = (await database.query.execute(
    `select count(*)::int as rows from ${table}`,
  )) as unknown as {
    rows: number;
  }[];
  return row?.rows;
};
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
const byValue = (one: number, other: number) => one - other;

test("200,000 expired tokens go in bounded runs and small batches, and nobody waits for it", {
  timeout: 300_000,
}, async () => {
  await database.script(outage);
  const lookups: number[] = [];
  let sweeping = true;
  const calls = (async () => {
    while (sweeping) {
      const start = livedTime();
      expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
      lookups.push(start());
      // A caller that asks without a pause would take the processor from the database.
      await wait(5);
    }
  })();

  const runs: number[] = [];
  let removed = 0;
  do {
    const start = livedTime();
    const counts = await runSweeps(ctx, { milliseconds, signal: new AbortController().signal });
    runs.push(start());
    removed = counts.removed ?? 0;
  } while (removed > 0 && runs.length < mostRuns);
  sweeping = false;
  await calls;

  expect([
    await rowsOf("access_tokens"),
    await rowsOf("refresh_tokens"),
    await rowsOf("grants"),
  ]).toEqual([1, 1, 1]);
  const batches = log.lines
    .filter(({ message }) => message === "swept")
    .map(({ fields }) => fields as Batch);
  const times = batches.map(({ milliseconds: took }) => took).sort(byValue);
  const figures = {
    runs: runs.length,
    longestRun: Math.round(Math.max(...runs)),
    batches: batches.length,
    mostRows: Math.max(...batches.map(({ rows }) => rows)),
    batchP50: at(times, 0.5),
    batchP95: at(times, 0.95),
    lookups: lookups.length,
    lookupP50: Number(at([...lookups].sort(byValue), 0.5).toFixed(1)),
    lookupP99: Number(at([...lookups].sort(byValue), 0.99).toFixed(1)),
    lookupMax: Math.round(Math.max(...lookups)),
  };
  const seen = JSON.stringify(figures);
  expect(figures.mostRows).toBeLessThanOrEqual(1_000);
  // A busy machine slows even a lookup by key: that share is not the batch's own.
  expect(figures.batchP95, seen).toBeLessThan(200 + 2 * figures.lookupMax);
  expect(figures.longestRun, seen).toBeLessThan(milliseconds + 1_000);
  // They wait for the processor, never for a lock.
  expect(figures.lookupP99, seen).toBeLessThan(200);
  expect(figures.lookupMax, seen).toBeLessThan(1_000);
});

interface Batch {
  readonly table: string;
  readonly rows: number;
  readonly milliseconds: number;
}

test("the chain that lived through it goes on", async () => {
  expect((await refresh(ctx, app, tokens.refresh_token)).status).toBe(200);
});
