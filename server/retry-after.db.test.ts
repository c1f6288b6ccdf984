import { createServer } from "node:http";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { formHandler } from "#app/_lib/form";
import { GET as authorize } from "#app/oauth/authorize/route";
import type { Queryable } from "#db/client";
import { answer } from "./answer";
import { sessionCookieName } from "./auth/cookies";
import type { Context } from "./context";
import { failureKinds, ServiceUnavailable } from "./failures";
import { refuseEarly } from "./front/refuse";
import { apiPrefix } from "./machine-path";
import { portalRefusal } from "./portal-refusal";
import { failureResult } from "./rest/respond";
import { routes } from "./routes";
import { testDatabase } from "./testing/database";
import { onLoopback } from "./testing/on-loopback";
import { plainBrowser, shareContext } from "./testing/plain-browser";
import { portalScript } from "./testing/portal-script";
import { testContext } from "./testing/test-context";

/** Every transport without a database: a 503 has Retry-After. */
const { ctx } = await testContext({ database: await testDatabase() });
const { baseUrl } = ctx.settings;
const gone = (): never => {
  throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
};
const query = new Proxy({} as Queryable, { get: gone });
const background = { query, statement: gone, transaction: gone };
const database = {
  ...ctx.database,
  query,
  keyPool: query,
  background,
  statement: gone,
  transaction: gone,
};
const down: Context = {
  ...ctx,
  database,
  tokens: { ...ctx.tokens, authenticate: async () => gone(), findClient: async () => gone() },
};
const peer = { address: "192.0.2.1" };
const waitOf = ({ headers }: { headers: Headers }) => Number(headers.get("retry-after"));

function expectWait(response: { readonly status: number; readonly headers: Headers }): void {
  expect(response.status).toBe(503);
  expect(waitOf(response)).toBeGreaterThan(0);
}

test.each(routes.map(({ method, path }) => [method, path] as const))(
  "the API: %s %s",
  async (method, path) => {
    const headers = { authorization: "Bearer any", "content-type": "application/json" };
    const target = apiPrefix + path.replace(/<[^>]+>/g, "1");
    expectWait(await answer(down, new Request(baseUrl + target, { method, headers }), peer));
  },
);

test.each(["token", "revoke", "introspect"])("the OAuth endpoint %s", async (name) => {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "0".repeat(32),
    token: "x",
    code: "x",
  });
  expectWait(
    await answer(down, new Request(`${baseUrl}/oauth/${name}`, { method: "POST", body }), peer),
  );
});

test("the stream of an open board", async () => {
  const cookie = `${sessionCookieName(ctx.settings.https)}=${"a".repeat(43)}`;
  const board = new Request(`${baseUrl}/faction/events`, { headers: { cookie } });
  expectWait(await answer(down, board, { ...peer, streams: true }));
});

test("the jobs that a timetable asks for", async () => {
  const cronSecret = "of-the-timetable-0123456789-abcdefghij";
  const settings = { ...ctx.settings, serverless: { cronSecret, cronSeconds: 0 } };
  const call = new Request(`${baseUrl}/cron/jobs`, {
    headers: { authorization: `Bearer ${cronSecret}` },
  });
  expectWait(await answer({ ...down, settings }, call, peer));
});

test.each([
  ["a program", "*/*", "application/json"],
  ["a browser", "text/html,*/*;q=0.8", "text/html; charset=utf-8"],
])(
  "the authorization endpoint, asked by %s where Next serves by itself",
  async (_who, accept, type) => {
    onTestFinished(shareContext(down));
    const said = await authorize(
      new Request(`${baseUrl}/oauth/authorize?client_id=${"0".repeat(32)}`, {
        headers: { accept },
      }),
    );
    expectWait(said);
    expect(said.headers.get("content-type")).toBe(type);
    expect(await said.text()).not.toContain("ECONNREFUSED");
  },
);

test("readiness, where the database is away and where the process drains", async () => {
  const ready = (context: Context) => answer(context, new Request(`${baseUrl}/health/ready`), peer);
  expectWait(await ready(down));
  const presence = { ...ctx.presence, draining: () => true };
  expectWait(await ready({ ...ctx, presence }));
});

describe("the portal", () => {
  test("calls of its script", async () => {
    const script = portalScript(ctx);
    const { headers } = await script.signedIn();
    const call = new Request(`${baseUrl}/api/trpc/applications.names`, { headers });
    expectWait(await script.send(call, down));
  });

  test("a form whose act needs something that is not there", async () => {
    afterAll(shareContext(ctx));
    const procedure = async (): Promise<void> => {
      throw ServiceUnavailable.because();
    };
    const target = formHandler({ token: false, procedure });
    expectWait(await plainBrowser(ctx).post(target, {}));
  });
});

test("a form whose rule refuses for now", async () => {
  onTestFinished(shareContext(ctx));
  const procedure = async (): Promise<void> => {
    throw portalRefusal({
      reason: "BUSY",
      status: 503,
      message: "Somebody else is at it.",
      retryAfter: 7,
    });
  };
  const said = await plainBrowser(ctx).post(formHandler({ token: false, procedure }), {});
  expectWait(said);
  expect(waitOf(said)).toBe(7);
});

test("the front, where it refuses by itself", async () => {
  const server = createServer((_, response) =>
    refuseEarly(response, { kind: ServiceUnavailable, requestId: "1" }),
  );
  expectWait(await fetch(`http://127.0.0.1:${await onLoopback(server, onTestFinished)}/`));
});

test.each(failureKinds.filter(({ status }) => status === 503 || status === 504))(
  "a failure $name with status $status, thrown by a rule that knows no time",
  (kind) => {
    expect(Number(failureResult(kind.because()).headers["Retry-After"])).toBeGreaterThan(0);
  },
);
