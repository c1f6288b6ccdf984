import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applications } from "#db/schema/oauth";
import { testDatabase } from "#server/testing/database";
import { testStart } from "#server/testing/movable-clock";
import {
  authorizationQuery,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { showCalls, showFailedOAuthAttempts } from "./calls/show-calls";
import { listApplications } from "./own-applications";
import { showTraffic } from "./traffic/show-traffic";
import { countTrafficJob } from "./traffic/traffic-jobs";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx, { name: "Dev" });
const day = 86_400_000;
const exactly = (count: number) => ({ count, more: false });

const everyCall = {
  outcome: "all",
  endpoint: null,
  player: null,
  range: "30d",
  until: null,
  after: null,
} as const;

interface Call {
  readonly daysAgo?: number;
  readonly status?: number;
  readonly failureCode?: number | null;
  readonly micros?: number;
  readonly accountId?: string | null;
}

async function logCalls(clientId: string, calls: readonly Call[]): Promise<void> {
  for (const {
    daysAgo = 0,
    status = 200,
    failureCode = null,
    micros = 1_000,
    accountId = null,
  } of calls)
    ctx.logRequest({
      at: new Date(ctx.now().getTime() - daysAgo * day),
      requestId: ctx.ids.request(),
      method: "GET",
      route: "/user",
      status,
      failureCode,
      accountId,
      clientId,
      address: "192.0.2.1",
      micros,
    });
  await ctx.settled();
}

describe("the last calls of an application", () => {
  test("come newest first, by outcome if that is asked, each once over all pages", async () => {
    const { clientId } = await mintApplication(ctx, owner);
    await logCalls(clientId, [
      ...Array.from({ length: 60 }, () => ({})),
      ...Array.from({ length: 3 }, () => ({ status: 403, failureCode: 4004 })),
      { status: 429, failureCode: 4000 },
      { daysAgo: 8 },
    ]);
    const page = (outcome: "all" | "good" | "failed" | "limited", after: string | null = null) =>
      showCalls(ctx, owner, { ...everyCall, clientId, outcome, range: "7d", after });
    const first = await page("all");
    const second = await page("all", first.next);
    expect([first.rows.length, second.rows.length, second.next]).toEqual([50, 14, null]);
    const ids = [...first.rows, ...second.rows].map(({ id }) => BigInt(id));
    expect(ids).toEqual([...ids].sort((one, other) => (one < other ? 1 : -1)));
    expect(new Set(ids).size).toBe(64);
    expect((await page("failed")).rows).toMatchObject([
      {
        status: 429,
        failureCode: 4000,
        method: "GET",
        route: "/user",
        requestId: expect.any(String),
      },
      ...Array.from({ length: 3 }, () => ({ status: 403, failureCode: 4004 })),
    ]);
    expect((await page("limited")).rows).toHaveLength(1);
    expect((await page("good")).rows).toHaveLength(50);
    expect((await page("all", "nonsense.'--")).rows).toEqual(first.rows);
  });
});

describe("what failed for an application", () => {
  const attempts = async (clientId: string) => {
    await ctx.settled();
    const { rows } = await showFailedOAuthAttempts(ctx, owner, { clientId, after: null });
    return rows;
  };

  test("an authorization request stands there with the exact reason, also where the player saw the error page", async () => {
    const app = await mintApplication(ctx, owner);
    const browser = new TestBrowser(ctx);
    const ask = async (query: Record<string, string>) => {
      await browser.authorize(query);
      // Events are written after the answer; the next one must not overtake.
      await ctx.settled();
    };
    await ask(authorizationQuery(app, { scope: "service_key:usage" }));
    await ask(authorizationQuery(app, { code_challenge_method: "plain" }));
    await ask(authorizationQuery(app, { redirect_uri: "https://client.test/cb/\0" }));
    const { redirect_uri: _uri, ...without } = authorizationQuery(app);
    await ask(without);
    await ctx.database.query
      .update(applications)
      .set({ suspendedAt: ctx.now() })
      .where(eq(applications.clientId, app.clientId));
    await ask(authorizationQuery(app));
    expect([...(await attempts(app.clientId))].reverse()).toMatchObject([
      {
        act: "authorization.refused",
        error: "invalid_scope",
        description: expect.stringContaining("not registered"),
      },
      {
        error: "invalid_request",
        description: "The code_challenge_method must be S256.",
        redirectUri: null,
      },
      {
        error: "error_page",
        redirectUri: "https://client.test/cb/\uFFFD",
        description: expect.stringContaining("exactly match"),
      },
      {
        error: "error_page",
        redirectUri: null,
        description: expect.stringContaining("redirect_uri is missing"),
      },
      { error: "error_page", description: "The application is suspended." },
    ]);
  });

  test("a token request stands there with endpoint, reason and request id, and without a secret or an address", async () => {
    const app = await mintApplication(ctx, owner);
    const code = await mintCode(ctx, app, { user: await mintUser(ctx) });
    await postToken(ctx, app, redemption(app, code, { code_verifier: "b".repeat(43) }));
    // Events are written after the answer; the next one must not overtake.
    await ctx.settled();
    await postToken(ctx, { ...app, clientSecret: "adj_cs_guessed" }, redemption(app, code));
    const rows = await attempts(app.clientId);
    expect([...rows].reverse()).toMatchObject([
      {
        act: "token_request.refused",
        endpoint: "token",
        error: "invalid_grant",
        description: expect.stringContaining("code_verifier"),
        requestId: expect.any(String),
      },
      {
        error: "invalid_client",
        description: expect.stringContaining("none of the application's live ones"),
      },
    ]);
    for (const secret of [
      code,
      app.clientSecret ?? "",
      "adj_cs_guessed",
      "b".repeat(43),
      "192.0.2.1",
    ])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("so does a denial, and a token that was used twice", async () => {
    const app = await mintApplication(ctx, owner);
    const user = await mintUser(ctx);
    const browser = new TestBrowser(ctx);
    await browser.signIn(user);
    await browser.decide(
      await browser.authorize(authorizationQuery(app, { prompt: "consent" })),
      user,
      "deny",
    );
    const { refresh_token = "" } = await mintTokens(ctx, app, { user });
    await refresh(ctx, app, refresh_token);
    clock.advance(31);
    await refresh(ctx, app, refresh_token);
    const acts = (await attempts(app.clientId)).map(({ act }) => act);
    expect(acts.at(-1)).toBe("consent.denied");
    expect(acts).toContain("refresh_token.reused");
  });

  test("a flood of bad requests fills no log: an address has as many lines a minute as it may fail", async () => {
    const app = await mintApplication(ctx, owner);
    clock.set(testStart);
    const browser = new TestBrowser(ctx);
    for (let i = 0; i < 30; i++)
      await browser.authorize(authorizationQuery(app, { response_type: "token" }));
    expect(await attempts(app.clientId)).toHaveLength(ctx.settings.rates.clientFailures);
  });
});

test("all calls of a day are counted, and are as many as its traffic says", async () => {
  const developer = await mintUser(ctx);
  const { clientId } = await mintApplication(ctx, developer);
  const at = (secondsAgo: number, status: number) => ({ daysAgo: secondsAgo / 86_400, status });
  await logCalls(clientId, [
    ...Array.from({ length: 2_020 }, (_, index) => at(10 + index, index < 3 ? 500 : 200)),
    ...Array.from({ length: 5 }, () => at(60_000, 404)),
    ...Array.from({ length: 3 }, () => at(90_000, 429)),
  ]);
  const expectFigures = async () => {
    const { total } = await showTraffic(ctx, developer, { clientId, range: "24h" });
    expect(total.calls).toBe(2_025);
    const [listed] = (await listApplications(ctx, developer)).rows;
    expect(listed?.figures).toMatchObject({ calls: 2_025, errors: 3 + 5 });
  };
  await expectFigures();
  await countTrafficJob.run(ctx, { budget: 0, signal: new AbortController().signal });
  await expectFigures();
});

test("a list of many applications is searched by name or id, and ordered by name or figure, page by page", async () => {
  const developer = await mintUser(ctx);
  const minted = [];
  for (const index of Array(27).keys())
    minted.push(await mintApplication(ctx, developer, { name: `Numbered ${100 + index}` }));
  const [first, second] = minted;
  await logCalls(second?.clientId ?? "", [{}, { status: 500 }, { status: 500 }]);
  const list = (asked: Parameters<typeof listApplications>[2]) =>
    listApplications(ctx, developer, asked);
  const names = async (asked: Parameters<typeof listApplications>[2]) =>
    (await list(asked)).rows.map(({ name }) => name);
  expect(await list({ q: "numBERED 12" })).toMatchObject({ count: 7, page: 1, pages: 1 });
  expect(await names({ q: first?.clientId ?? "" })).toEqual(["Numbered 100"]);
  expect((await names({ sort: "-errors" }))[0]).toBe("Numbered 101");
  expect((await names({ sort: "name" }))[0]).toBe("Numbered 100");
  expect(await names({ sort: "-name", page: 2 })).toEqual(["Numbered 101", "Numbered 100"]);
  expect(await list({ page: 9 })).toMatchObject({ count: 27, page: 2, pages: 2 });
});

test("the list of applications tells each one's own figures", async () => {
  const developer = await mintUser(ctx);
  const [busy, quiet] = [
    await mintApplication(ctx, developer),
    await mintApplication(ctx, developer),
  ];
  await logCalls(busy.clientId, [{}, { status: 500 }, { daysAgo: 2 }]);
  const user = await mintUser(ctx);
  await mintTokens(ctx, busy, { user });
  await mintTokens(ctx, quiet, { user });
  await mintTokens(ctx, quiet, { user: await mintUser(ctx) });
  const { rows: listed } = await listApplications(ctx, developer);
  const figures = new Map(listed.map((each) => [each.clientId, each.figures]));
  expect(figures.get(busy.clientId)).toEqual({
    users: exactly(1),
    tokens: exactly(1),
    calls: 2,
    errors: 1,
  });
  expect(figures.get(quiet.clientId)).toEqual({
    users: exactly(2),
    tokens: exactly(2),
    calls: 0,
    errors: 0,
  });
});
