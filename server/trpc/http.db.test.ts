import { eq } from "drizzle-orm";
import superjson from "superjson";
import { describe, expect, test } from "vitest";
import { sessions } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { sessionCookieName } from "#server/auth/cookies";
import { csrfToken } from "#server/auth/csrf";
import { openSession, readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { answerPortalCall } from "./http";

const { ctx, clock, log, simulator } = await testContext({ database: await testDatabase() });
const { baseUrl } = ctx.settings;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The result's data, or undefined. */
  readonly data: unknown;
  readonly error: { message: string; data: Record<string, unknown> } | undefined;
}

const signedIn = async () => {
  const { accountId } = await mintUser(ctx);
  const { token, sessionHash } = await openSession(ctx, ctx.database.query, {
    accountId,
    browser: { address: null, userAgent: null },
  });
  const cookie = `${sessionCookieName(false)}=${token}`;
  return { accountId, token, headers: { cookie, "x-csrf-token": csrfToken(ctx.keyring, sessionHash) } };
};

const own = { origin: baseUrl, "sec-fetch-site": "same-origin", "content-type": "application/json" };

async function send(request: Request, context: Context = ctx): Promise<Answer> {
  const response = await answerPortalCall(context, request, "192.0.2.1");
  const text = await response.text();
  const body = text === "" ? {} : JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    data: body.result && superjson.deserialize(body.result.data),
    error: body.error && superjson.deserialize(body.error),
  };
}

const query = (path: string, headers: Record<string, string> = {}, input?: unknown) => {
  const asked = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`;
  return send(new Request(`${baseUrl}/api/trpc/${path}${asked}`, { headers }));
};

const mutate = (path: string, headers: Record<string, string>, input: unknown = null) =>
  send(
    new Request(`${baseUrl}/api/trpc/${path}`, {
      method: "POST",
      headers: { ...own, ...headers },
      body: JSON.stringify(superjson.serialize(input)),
    }),
  );

const application = {
  kind: "confidential",
  name: "Ledger",
  redirectUris: ["https://client.test/cb"],
  scopes: ["identity"],
  clientUri: "https://client.test",
  tosUri: "https://client.test/tos",
  privacyUri: "https://client.test/privacy",
  privacy: { data: "a", use: "b", retention: "c", deletion: "d", sharing: "e" },
} as const;

describe("who calls", () => {
  test("is told by the session cookie alone; a bearer token means nothing (BR-14)", async () => {
    const { token, headers } = await signedIn();
    expect((await query("session.list", { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await query("session.list", { cookie: headers.cookie })).status).toBe(200);
  });

  test("nobody is told apart from an error", async () => {
    expect(await query("session.current")).toMatchObject({ status: 200, data: null });
  });
});

describe("a mutation (PT-13)", () => {
  test("from the portal's own script is carried out", async () => {
    const { headers, token } = await signedIn();
    expect((await mutate("session.signOut", headers)).status).toBe(200);
    expect(await readSession(ctx, token)).toBeNull();
  });

  test.each<[string, number, Record<string, string>]>([
    ["a text form of another site", 415, { "content-type": "text/plain", origin: "https://evil.test" }],
    ["a urlencoded form", 415, { "content-type": "application/x-www-form-urlencoded" }],
    ["a multipart form", 415, { "content-type": "multipart/form-data; boundary=x" }],
    ["a made-up type", 415, { "content-type": "application/jsonp" }],
    ["no type", 415, { "content-type": "" }],
    ["another origin", 403, { origin: "https://evil.test" }],
    ["an opaque origin", 403, { origin: "null" }],
    ["no origin at all", 403, { origin: "", "sec-fetch-site": "" }],
    ["a cross-site request that hides its origin", 403, { origin: "", "sec-fetch-site": "cross-site" }],
    ["a neighbour of the same domain", 403, { "sec-fetch-site": "same-site" }],
    ["no token", 403, { "x-csrf-token": "" }],
    ["a wrong token", 403, { "x-csrf-token": "A".repeat(43) }],
  ])("by %s changes nothing", async (_what, status, changed) => {
    const { headers, accountId } = await signedIn();
    const all = Object.entries({ ...own, ...headers, ...changed }).filter(([, value]) => value !== "");
    const body = JSON.stringify(superjson.serialize(application));
    const request = new Request(`${baseUrl}/api/trpc/applications.create`, { method: "POST", headers: all, body });
    // A Request gives a text body a type of its own.
    if (changed["content-type"] === "") request.headers.delete("content-type");
    expect((await send(request)).status).toBe(status);
    const made = await ctx.database.query.select().from(applications).where(eq(applications.ownerId, accountId));
    expect(made).toEqual([]);
  });

  test("with the token of another session is refused", async () => {
    const mine = await signedIn();
    const other = await signedIn();
    const mixed = { ...mine.headers, "x-csrf-token": other.headers["x-csrf-token"] };
    expect((await mutate("session.endOthers", mixed)).status).toBe(403);
  });

  test("cannot be sent by GET, nor a query by POST", async () => {
    const { headers, token } = await signedIn();
    expect((await query("session.signOut", headers)).status).toBe(405);
    expect(await readSession(ctx, token)).not.toBeNull();
    expect((await mutate("session.list", headers)).status).toBe(405);
  });

  test("cannot hide in a batch of queries", async () => {
    const { headers, token } = await signedIn();
    const asked = `?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: superjson.serialize(null) }))}`;
    await send(new Request(`${baseUrl}/api/trpc/session.list,session.signOut${asked}`, { headers }));
    expect(await readSession(ctx, token)).not.toBeNull();
  });

  test("over 256 KB is refused unread", async () => {
    const { headers } = await signedIn();
    expect((await mutate("applications.create", headers, { name: "x".repeat(256 * 1024) })).status).toBe(413);
  });
});

describe("signing in by script", () => {
  test("sets the cookie, out of the script's reach, and does not show the token", async () => {
    const answer = await mutate("signIn.withGameKey", {}, { gameKey: simulator.demoKeys.developer, next: "/account" });
    expect(answer).toMatchObject({ status: 200, data: { location: "/account" } });
    const [, token] = /^adjutant_session=([^;]{43}); .*HttpOnly/.exec(answer.headers.get("set-cookie") ?? "") ?? [];
    expect(await readSession(ctx, token ?? null)).toMatchObject({ playerId: 1001 });
    expect(answer.text).not.toContain(token);
  });

  test("gives the reason of a refusal as a word, and sets no cookie", async () => {
    const answer = await mutate("signIn.withGameKey", {}, { gameKey: "WrongWrongWrong1" });
    expect(answer).toMatchObject({ status: 401, error: { data: { reason: "wrong-key" } } });
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.text).not.toContain("WrongWrongWrong1");
  });

  test("from another site is refused", async () => {
    const gameKey = simulator.demoKeys.developer;
    const answer = await mutate("signIn.withGameKey", { origin: "https://evil.test" }, { gameKey });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });
});

describe("a query", () => {
  test("never returns a secret, a key or a session's token (PT-14, PT-19)", async () => {
    const signIn = await mutate("signIn.withGameKey", {}, { gameKey: simulator.demoKeys.banker });
    const cookie = (signIn.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
    const token = cookie.split("=")[1] ?? "";
    const user = await readSession(ctx, token);
    const headers = { cookie, "x-csrf-token": csrfToken(ctx.keyring, user?.sessionHash ?? "") };
    const created = await mutate("applications.create", headers, application);
    const { clientId, clientSecret } = created.data as { clientId: string; clientSecret: string };
    expect(clientSecret).toMatch(/^adj_cs_/);
    const answers = await Promise.all([
      query("applications.list", headers),
      query("applications.get", headers, { clientId }),
      query("account.overview", headers),
      query("session.list", headers),
      query("session.current", headers),
      query("consents.list", headers),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      for (const secret of [clientSecret, simulator.demoKeys.banker, token, headers["x-csrf-token"]])
        expect(text).not.toContain(secret);
    }
    expect((await query("applications.createSecret", headers, { clientId, name: "x" })).status).toBe(405);
  });

  test("asked by another site's script is refused", async () => {
    const { headers } = await signedIn();
    expect((await query("session.list", { ...headers, "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  test("is neither cached nor sniffed nor embedded, and opens to no other origin (HD-03, HD-07)", async () => {
    const { headers } = await query("session.current", { origin: baseUrl });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{22}$/);
  });
});

describe("an error", () => {
  test("of the catalogue shows its sentence and code", async () => {
    const { headers } = await signedIn();
    const answer = await query("applications.get", headers, { clientId: "0".repeat(32) });
    expect(answer).toMatchObject({
      status: 404,
      error: {
        message: "No such application is known.",
        data: { code: "NOT_FOUND", failure: { code: 1500, name: "UnknownOAuthClient" } },
      },
    });
  });

  test("of the input names each field", async () => {
    const { headers } = await signedIn();
    const answer = await mutate("applications.create", headers, { ...application, name: "", tosUri: "javascript:1" });
    expect(answer.status).toBe(400);
    expect(answer.error?.data.fields).toEqual([
      { field: "name", message: "A name is needed." },
      { field: "tosUri", message: expect.stringContaining("https://") },
    ]);
  });

  test("of a stale sign-in asks for a fresh one (PT-15)", async () => {
    const { headers } = await signedIn();
    const { data } = await mutate("applications.create", headers, application);
    const { clientId } = data as { clientId: string };
    clock.advance(900);
    const calls: [string, object][] = [
      ["applications.createSecret", { clientId, name: "second" }],
      ["applications.deleteSecret", { clientId, secretId: ctx.ids.uuid() }],
      ["applications.delete", { clientId, confirmName: application.name }],
    ];
    for (const [path, input] of calls)
      expect(await mutate(path, headers, input)).toMatchObject({
        status: 403,
        error: { data: { code: "FORBIDDEN", reason: "SIGN_IN_STALE" } },
      });
  });

  test("that nobody foresaw shows a fixed sentence and the request's id; its words go to the log", async () => {
    const { headers } = await signedIn();
    const query = new Proxy(ctx.database.query, {
      get: () => {
        throw new Error("Failed query: select secret from table\nparams: hush");
      },
    });
    const request = new Request(`${baseUrl}/api/trpc/session.list`, { headers });
    const answer = await send(request, { ...ctx, database: { ...ctx.database, query } });
    const requestId = answer.headers.get("x-request-id");
    expect(answer).toMatchObject({ status: 500, error: { message: `Something went wrong. Request id: ${requestId}` } });
    expect(answer.text).not.toMatch(/secret|hush|stack|\.ts/);
    const line = log.lines.find(({ fields }) => "requestId" in fields && fields.requestId === requestId);
    expect(JSON.stringify(line)).toContain("select secret from table");
    expect(JSON.stringify(line)).not.toContain("hush");
  });

  test.each<[string, number]>([
    ["no.such", 404],
    ["__proto__", 404],
    ["session.__proto__", 404],
    ["session.constructor", 404],
  ])("of the unknown procedure %s is one of ours", async (path, status) => {
    const answer = await query(path);
    expect(answer).toMatchObject({ status, error: { message: "There is no such procedure." } });
  });

  test.each([
    ["half a brace", "{"],
    ["half a bracket", "["],
    ["nothing", "null"],
    ["a prototype", '{"json":{"__proto__":{"polluted":true}}}'],
    ["an instruction to build a prototype", '{"json":{},"meta":{"values":{"__proto__.polluted":["Date"]}}}'],
    ["long nonsense", "x".repeat(1_000)],
  ])("of %s as input says no more than that", async (_what, body) => {
    const { headers } = await signedIn();
    const request = new Request(`${baseUrl}/api/trpc/applications.create`, {
      method: "POST",
      headers: { ...own, ...headers },
      body,
    });
    const answer = await send(request);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/Unexpected|position|SyntaxError/);
    expect({}).not.toHaveProperty("polluted");
  });
});

test("without a database an answer is an error in the client's shape all the same", async () => {
  const { headers } = await signedIn();
  const statement = (): never => {
    throw Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
  };
  const request = new Request(`${baseUrl}/api/trpc/session.list`, { headers });
  const answer = await send(request, { ...ctx, database: { ...ctx.database, statement } });
  expect(answer.status).toBe(503);
  expect(answer.text).not.toContain("ECONNREFUSED");
});

test("a session that ended elsewhere is not served any more", async () => {
  const { headers, accountId } = await signedIn();
  await ctx.database.query.delete(sessions).where(eq(sessions.accountId, accountId));
  expect((await query("session.list", headers)).status).toBe(401);
});
