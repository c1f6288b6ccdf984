import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { freePort } from "#server/testing/free-port";
import { frontOnLoopback } from "#server/testing/front-on-loopback";
import { latencies, percentile, undisturbed } from "#server/testing/latency";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { mintScore } from "#server/testing/stat-facts";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";

const baseUrl = `http://127.0.0.1:${await freePort()}`;
const { ctx } = await testContext({
  database: await testDatabase(),
  settings: { baseUrl, rates: { holder: 100_000, peer: 100_000 } },
});
await frontOnLoopback(ctx);
const many = 100_000;
const megabyte = 1_024 * 1_024;
/** As long as four lists at one a second take. Milliseconds. */
const period = 4_000;

async function fillWorld(): Promise<void> {
  const at = ctx.now().toISOString();
  await ctx.database.query.execute(sql`
    insert into players (id, name, level, last_refresh, last_action)
    select 1000000 + n, 'P' || n, 1 + n % 100, ${at}, ${at} from generate_series(1, ${many}::int) n`);
  await ctx.database.query.execute(sql`
    insert into stat_latest (visible_to, player_id, score, time_added, level, draw)
    select 0, 1000000 + n, score, ${at}, 1 + n % 100, random()
    from (select n, exp(4 + 7 * random()) as score from generate_series(1, ${many}::int) n) as scored`);
}

test("RE-66: a body of 5 MB and the widest chain list each second do not hold up other calls", async () => {
  await fillWorld();
  const user = await mintUser(ctx);
  await mintScore(ctx, user.playerId, 30_000);
  const app = await mintApplication(ctx, await mintUser(ctx));
  const { access_token } = await mintTokens(ctx, app, { user, scopes: ["identity"] });
  const authorization = `Bearer ${access_token}`;
  const post = (body: string) =>
    fetch(`${baseUrl}/api/v1/stat/chain-list`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body,
    });
  const widest = JSON.stringify({
    minimum_difficulty: 1,
    maximum_difficulty: 1e6,
    sort_order: "highest-respect",
    limit: 250,
  });

  const call = async () => {
    const { status } = await fetch(`${baseUrl}/api/v1/user`, { headers: { authorization } });
    expect(status).toBe(200);
  };
  const longest = await undisturbed(call);
  const lists: number[] = [];
  const ask = async () => {
    const answer = await post(widest);
    lists.push(answer.status, ((await answer.json()) as unknown[]).length);
  };
  const asked: Promise<void>[] = [];
  const begun = performance.now();
  const asking = setInterval(() => asked.push(ask()), 1_000);
  const huge = post(JSON.stringify({ filler: "x".repeat(5 * megabyte) })).then(
    ({ status }) => status,
    // The front may let go of the connection while the rest of the body is still being sent.
    () => 413,
  );
  const waits: number[] = [];
  while (performance.now() - begun < period) waits.push(...(await latencies(1, call)));
  clearInterval(asking);
  await Promise.all(asked);
  expect(await huge).toBe(413);
  expect(lists.slice(0, 4)).toEqual([200, 250, 200, 250]);
  expect(percentile(waits, 0.99)).toBeLessThan(longest);
}, 60_000);
