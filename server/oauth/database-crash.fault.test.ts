import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { apiPrefix } from "#server/machine-path";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { livedTime } from "#server/testing/lived-time";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { startPostgres } from "#server/testing/postgres";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "./grants/authorization-code";

const chainCount = 12;
/** Milliseconds. */
const longestOutage = 5_000;

const postgres = await startPostgres({ durable: true });
const database = openPostgres({ url: postgres.url("postgres"), pools: { general: 5 } });
afterAll(async () => {
  await database.close();
  await postgres.stop();
});
await migrate(database);
const rates = { holder: 1_000_000, peer: 1_000_000, client: 1_000_000, clientFailures: 1_000_000 };
const { ctx } = await testContext({ database, settings: { rates, tokenCache: true } });
const dispatch = compileDispatch(routes, { prefix: apiPrefix });

/**
 * After a SIGKILL of one backend PostgreSQL ends all others, drops its memory and recovers from
 * disk.
 */
async function crash(): Promise<void> {
  const admin = openPostgres({ url: postgres.url("postgres"), pools: { general: 1 } });
  const [row] = (await admin.query.execute(sql`select pg_backend_pid() as pid`)) as unknown as {
    pid: number;
  }[];
  process.kill(row?.pid ?? 0, "SIGKILL");
  await admin.close();
}

const lived = livedTime();

/** @returns milliseconds until a new connection answers a query */
async function up(): Promise<number> {
  for (;;) {
    const admin = openPostgres({ url: postgres.url("postgres"), pools: { general: 1 } });
    const answered = await admin.query.execute(sql`select 1`).then(
      () => true,
      () => false,
    );
    await admin.close();
    if (answered) return lived();
  }
}

test("RE-10: a PostgreSQL that crashes under load is found again; errors are answers, and nothing that was answered is lost", {
  timeout: 60_000,
}, async () => {
  const app = await mintApplication(ctx, await mintUser(ctx));
  const chains: TokenReply[] = [];
  while (chains.length < chainCount)
    chains.push(await mintTokens(ctx, app, { user: await mintUser(ctx) }));
  const statuses: number[] = [];
  const lastFault = { at: 0 };
  let running = true;

  const note = async (response: Response): Promise<unknown> => {
    statuses.push(response.status);
    if (response.status >= 500) lastFault.at = lived();
    if (response.status === 503)
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    // JSON in every case.
    return response.json();
  };
  const load = chains.map(async (_, at) => {
    // A refresh with a lost answer may have been committed: then the old access token is dead until
    // the refresh is repeated.
    let answered = true;
    while (running) {
      const { access_token, refresh_token = "" } = chains[at] ?? { access_token: "" };
      const request = new Request(`http://any.host${apiPrefix}/user`, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      const called = await dispatch(ctx, request, { address: "192.0.2.1" });
      if (answered || called.status !== 401) await note(called);
      const response = await refresh(ctx, app, refresh_token);
      const reply = await note(response);
      answered = response.status === 200;
      if (answered) chains[at] = reply as TokenReply;
    }
  });
  const served = () => statuses.filter((status) => status === 200).length;
  const more = async (calls: number) => {
    const before = served();
    await expect.poll(served, { interval: 10 }).toBeGreaterThan(before + calls);
  };
  await more(20);
  await crash();
  const back = await up();
  await more(20);
  const recovered = lived();
  await more(100);
  running = false;
  await Promise.all(load);

  expect(statuses.filter((status) => ![200, 500, 503].includes(status))).toEqual([]);
  expect(statuses.some((status) => status >= 500)).toBe(true);
  expect(recovered - back).toBeLessThan(longestOutage);
  expect(lastFault.at - back).toBeLessThan(longestOutage);
  // The last answered pair of each client is the live one.
  for (const { access_token, refresh_token = "" } of chains) {
    expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
    expect((await refresh(ctx, app, refresh_token)).status).toBe(200);
  }
});
