import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { consents } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import { apiPrefix } from "#server/machine-path";
import { revokeAllConsents } from "#server/oauth/consents/consent-acts";
import { mintSecret } from "#server/platform/secret-text";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { diagnose } from "../diagnose";
import { exportCalls, showCall, showCalls } from "./show-calls";

type Filter = Parameters<typeof showCalls>[2];

const { ctx, clock } = await testContext({ database: await testDatabase() });
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const owner = await mintUser(ctx, { name: "Dev" });
let addresses = 1;

/** Waits until the call is logged. @returns the answer's request id */
async function call(
  path: string,
  token: string | null,
  more: { body?: string; method?: string; address?: string; headers?: object } = {},
) {
  const { method = "GET", body, address = `192.0.2.${addresses++ % 250}` } = more;
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    "content-type": "application/json",
    ...more.headers,
  };
  const sent = new Request(`http://localhost${apiPrefix}${path}`, {
    method,
    headers,
    ...(body && { body }),
  });
  const answer = await dispatch(ctx, sent, { address, streams: true });
  await ctx.settled();
  return answer.headers.get("x-request-id") ?? "";
}

const world = async () => {
  const app = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
  const user = {
    ...(await mintUser(ctx, { name: `Player${addresses}` })),
    name: `Player${addresses++}`,
  };
  const tokens = await mintTokens(ctx, app, { user, scopes: ["identity"] });
  const list = async (filter: Partial<Filter> = {}) =>
    showCalls(ctx, owner, {
      ...{
        clientId: app.clientId,
        outcome: "all",
        endpoint: null,
        player: null,
        range: "30d",
        until: null,
        after: null,
      },
      ...filter,
    });
  const lookUp = (requestId: string) => showCall(ctx, owner, { clientId: app.clientId, requestId });
  return { app, user, tokens, list, lookUp };
};

describe("a failed call", () => {
  test("is shown with code, details, path and the names of what was sent, and no value of query and body", async () => {
    const { tokens, lookUp, user } = await world();
    const id = await call(
      `/faction/7/banking?limit=hidden1&adj_at_x=hidden2&AbCd1234EfGh5678=1`,
      tokens.access_token,
      {
        method: "POST",
        body: JSON.stringify({ amount: "hidden3", type: "hidden4" }),
      },
    );
    const found = await lookUp(id);
    expect(found).toMatchObject({
      ...{
        requestId: id,
        method: "POST",
        route: "/api/v1/faction/<int:faction_id>/banking",
        status: 403,
      },
      ...{ failureCode: 4004, player: { name: user.name } },
      failure: {
        query: ["limit"],
        details: { missing: ["faction:banking"] },
      },
      path: "/api/v1/faction/7/banking",
    });
    expect(JSON.stringify(found)).not.toMatch(/hidden|adj_|AbCd/);
  });

  test("names the fields of a body that was read", async () => {
    const app = await mintApplication(ctx, owner, { scopes: ["faction"] });
    const { access_token: token } = await mintTokens(ctx, app, {
      user: await mintUser(ctx),
      scopes: ["faction"],
    });
    const body = JSON.stringify({ amount: "hidden", type: 1 });
    const id = await call("/faction/7/banking", token, { method: "POST", body });
    const found = await showCall(ctx, owner, { clientId: app.clientId, requestId: id });
    expect(found?.failure).toMatchObject({
      body: ["amount", "type"],
      details: { errors: expect.any(Array) },
    });
    expect(JSON.stringify(found)).not.toContain("hidden");
  });

  test("at no endpoint is shown with its path, without what may be a secret in it", async () => {
    const { tokens, lookUp } = await world();
    const id = await call(`/userz/${tokens.access_token}/0123456789abcdef`, tokens.access_token);
    expect(await lookUp(id)).toMatchObject({
      route: "unmatched",
      status: 404,
      path: "/api/v1/userz/…/…",
    });
  });

  test("SC-01: is shown without a secret that a message repeats", async () => {
    const { tokens, lookUp } = await world();
    for (const secret of [tokens.access_token, "AbCd1234EfGh5678"]) {
      const headers = { accept: "text/event-stream" };
      const id = await call(`/events?since-${secret}=1`, tokens.access_token, { headers });
      const found = await lookUp(id);
      expect(found).toMatchObject({ status: 400, failure: { details: expect.any(Object) } });
      expect(JSON.stringify(found)).not.toContain(secret);
    }
  });

  test("is shown without a game key in its path, even if the key has no digit", async () => {
    const { tokens, lookUp } = await world();
    for (const path of ["/user/AbCdEfGhIjKlMnOp", "/AbCdEfGhIjKlMnOp/AbCdEfGhIjKlMnOp"]) {
      const id = await call(path, tokens.access_token);
      expect(await lookUp(id)).toMatchObject({
        path: `${apiPrefix}${path.replaceAll("AbCdEfGhIjKlMnOp", "…")}`,
      });
    }
    const segments = routes.flatMap(({ path }) => path.split("/"));
    expect(segments.filter((segment) => /^[A-Za-z0-9]{16}$/.test(segment))).toEqual([]);
  });

  test("shows no part of a secret at the place where a long path is cut", async () => {
    const { tokens, lookUp } = await world();
    const long = "userz/".repeat(30);
    for (const most of [190, 195, 199]) {
      const start = `/${long}${"x".repeat(most - apiPrefix.length - long.length - 2)}/`;
      const id = await call(`${start}AbCd1234EfGh5678`, tokens.access_token);
      expect(JSON.stringify(await lookUp(id))).not.toContain("/A");
    }
  });

  test("that succeeded has no note, but its path and user agent", async () => {
    const { tokens, lookUp } = await world();
    const headers = { "user-agent": "clerk/2.1 adj_at_0123456789abcdef0123" };
    expect(await lookUp(await call("/user?x=1", tokens.access_token, { headers }))).toMatchObject({
      ...{ status: 200, failure: null, path: null },
      userAgent: "clerk/2.1 …",
    });
    expect(await lookUp(await call("/user/7", tokens.access_token))).toMatchObject({
      path: "/api/v1/user/7",
    });
  });

  test("is in the file with all others of the filter, and no cell of it is a formula", async () => {
    const { tokens, app } = await world();
    const headers = { "user-agent": "=cmd()" };
    const id = await call("/user/7", tokens.access_token, { headers });
    await call("/user", tokens.access_token);
    const file = await exportCalls(ctx, owner, {
      ...{ clientId: app.clientId, outcome: "all", endpoint: "GET /api/v1/user/<int:user_id>" },
      ...{ player: null, range: "1h", until: null },
    });
    const [head, line, ...more] = file.split("\r\n");
    expect(head).toMatch(/^time,request_id,method,path,status,/);
    expect(line).toContain(`,${id},GET,/api/v1/user/7,`);
    expect(line).toContain(`"'=cmd()"`);
    expect(more).toEqual([]);
  });
});

describe("a call with a token that has ended", () => {
  test("is found: expired, replaced by a refresh, revoked by the player", async () => {
    const { tokens, lookUp, app, user, list } = await world();
    const replaced = tokens.access_token;
    const { access_token: second } = await refresh(ctx, app, tokens.refresh_token ?? "").then(
      (answer) => answer.json() as Promise<{ access_token: string }>,
    );
    expect(await lookUp(await call("/user", replaced))).toMatchObject({
      ...{ status: 401, failureCode: 4002, player: { name: user.name } },
      failure: { token: { ended: "replaced" } },
    });
    clock.advance(3_601);
    expect((await lookUp(await call("/user", second)))?.failure?.token).toMatchObject({
      ended: "expired",
    });
    const third = await mintTokens(ctx, app, { user, scopes: ["identity"] });
    await revokeAllConsents(ctx, user);
    const id = await call("/user", third.access_token);
    expect((await lookUp(id))?.failure?.token).toMatchObject({ ended: "revoked", by: "player" });
    expect((await list({ outcome: "401" })).rows).toHaveLength(3);
  });

  test("fills nobody's list: of an application so many are listed a minute, the rest are nobody's", async () => {
    const { tokens, app, list } = await world();
    clock.advance(3_700);
    for (let i = 0; i < 70; i++) await call("/user", tokens.access_token);
    const { rows, next } = await list({ outcome: "failed" });
    expect([rows.length, next === null]).toEqual([50, false]);
    expect((await list({ outcome: "failed", after: next })).rows).toHaveLength(10);
    const id = await call("/user", tokens.access_token);
    expect(await diagnose(ctx, owner, id)).toMatchObject({
      kind: "nobodys-call",
      call: { status: 401 },
    });
    clock.advance(60);
    await call("/user", tokens.access_token);
    const [row] = await ctx.database.query
      .select({ many: sql`count(*)`.mapWith(Number) })
      .from(requestLog)
      .where(eq(requestLog.clientId, app.clientId));
    expect(row?.many).toBe(61);
  });

  test("that was never issued is nobody's", async () => {
    const id = await call("/user", mintSecret("access", ctx.ids.bytes));
    expect(await diagnose(ctx, owner, id)).toMatchObject({
      kind: "nobodys-call",
      call: { failureCode: 4002 },
    });
  });
});

test("calls beyond the rate stand in the list as well, and of so many a minute the details", async () => {
  const { tokens, list } = await world();
  clock.advance(60);
  for (let i = 0; i < ctx.settings.rates.holder + 130; i++)
    await call("/user", tokens.access_token);
  const noted: boolean[] = [];
  for (let after: string | null = null; ; ) {
    const page = await list({ outcome: "limited", after });
    noted.push(...page.rows.map(({ failure }) => failure !== null));
    after = page.next;
    if (after === null) break;
  }
  expect(noted).toHaveLength(130);
  expect(noted.filter(Boolean)).toHaveLength(120);
});

describe("the list", () => {
  test("is filtered by status, endpoint, player and time, all at once", async () => {
    const { tokens, list, user, app } = await world();
    const other = await mintUser(ctx, { name: "Otherplayer" });
    const theirs = await mintTokens(ctx, app, { user: other, scopes: ["identity"] });
    const early = await call("/user", tokens.access_token);
    clock.advance(7_200 - 3_000);
    const again = await mintTokens(ctx, app, { user, scopes: ["identity"] });
    const late = await call("/user", again.access_token);
    const refused = await call("/faction/7/members", again.access_token);
    const odd = await call("/nowhere", theirs.access_token);
    const ids = async (filter: Partial<Filter>) =>
      (await list(filter)).rows.map(({ requestId }) => requestId);
    expect(await ids({})).toEqual([odd, refused, late, early]);
    expect(await ids({ endpoint: "GET /api/v1/user" })).toEqual([late, early]);
    expect(await ids({ endpoint: "unmatched" })).toEqual([odd]);
    expect(await ids({ player: "otherPLAYER" })).toEqual([odd]);
    expect(await ids({ player: `${user.name} [${user.playerId}]`, outcome: "good" })).toEqual([
      late,
      early,
    ]);
    expect(await ids({ range: "1h" })).toEqual([odd, refused, late]);
    expect(await ids({ until: new Date(ctx.now().getTime() - 3_600_000) })).toEqual([early]);
    expect(
      await ids({ endpoint: "GET /api/v1/user", player: String(user.playerId), range: "1h" }),
    ).toEqual([late]);
    expect(await ids({ outcome: "404", endpoint: "nonsense" })).toEqual([odd, refused]);
  });

  test("reaches 30 days back, however rare the endpoint is", async () => {
    const { app, list } = await world();
    const line = {
      method: "GET",
      status: 200,
      failureCode: null,
      micros: 1,
      address: null,
      accountId: null,
    };
    const at = (days: number) => new Date(ctx.now().getTime() - days * 86_400_000);
    for (const [days, route] of [
      [0.5, "/a"],
      [3.3, "/rare"],
      [9, "/a"],
      [29, "/rare"],
      [31, "/rare"],
    ] as const)
      ctx.logRequest({
        ...line,
        at: at(days),
        route,
        requestId: ctx.ids.request(),
        clientId: app.clientId,
      });
    await ctx.settled();
    const { rows } = await list({ endpoint: "GET /rare" });
    expect(rows.map(({ at }) => at)).toEqual([at(3.3), at(29)]);
  });

  test("names no player who did not let the application in, and finds none by name", async () => {
    const { app, tokens, list, lookUp, user } = await world();
    const id = await call("/user", tokens.access_token);
    await mintUser(ctx, { name: "Stranger" });
    expect(await list({ player: "Stranger" })).toMatchObject({ rows: [], unknownPlayer: true });
    await ctx.database.query.delete(consents).where(eq(consents.clientId, app.clientId));
    expect((await lookUp(id))?.player).toBeNull();
    expect(await list({ player: String(user.playerId) })).toMatchObject({ unknownPlayer: true });
  });

  test("and a call's page hold no player's address, and nobody else's application sees them", async () => {
    const { tokens, lookUp, list, app } = await world();
    const id = await call("/faction/7/members", tokens.access_token, { address: "203.0.113.99" });
    expect(JSON.stringify([await lookUp(id), await list()])).not.toContain("203.0.113.99");
    const other = await mintUser(ctx);
    await expect(
      showCall(ctx, other, { clientId: app.clientId, requestId: id }),
    ).rejects.toMatchObject({
      kind: { code: 1500 },
    });
    const theirs = await mintApplication(ctx, other);
    expect(await showCall(ctx, other, { clientId: theirs.clientId, requestId: id })).toBeNull();
    expect(await diagnose(ctx, other, id)).toMatchObject({ kind: "no-such-call", isNew: true });
  });
});
