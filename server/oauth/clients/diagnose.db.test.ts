import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  postToken,
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { showFailedOAuthAttempts } from "./calls/show-calls";
import { askDoctor, diagnose } from "./diagnose";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const endpoint = `${ctx.settings.baseUrl}/oauth/authorize`;
const addressOf = (fields: Record<string, string> = {}, base = endpoint) =>
  `${base}?${new URLSearchParams(authorizationQuery(app, fields))}`;

/** By parameter; "" for those of all parameters. */
async function faultsOf(text: string): Promise<Record<string, string>> {
  const found = await diagnose(ctx, owner, text);
  if (found.kind !== "request") throw new Error(`It is ${found.kind}.`);
  return Object.fromEntries(
    found.findings.flatMap(({ parameters, fault }) =>
      fault ? [[parameters.join(" "), fault]] : [],
    ),
  );
}

describe("an authorization URL", () => {
  test("that the endpoint accepts has no fault", async () => {
    expect(await faultsOf(addressOf())).toEqual({});
    expect(await faultsOf(`?${new URLSearchParams(authorizationQuery(app))}`)).toEqual({});
    expect(await diagnose(ctx, owner, addressOf({ utm: "1" }))).toMatchObject({
      addressFault: null,
      ignored: ["utm"],
    });
  });

  test("is told all its faults at once, where the endpoint stops at the first", async () => {
    const fields = {
      response_type: "token",
      scope: "nonsense",
      state: "",
      code_challenge_method: "plain",
      prompt: "x",
    };
    const faults = await faultsOf(
      addressOf({ ...fields, redirect_uri: "https://elsewhere.test/cb" }),
    );
    expect(Object.keys(faults)).toEqual([
      "redirect_uri",
      "response_type",
      "state",
      "code_challenge code_challenge_method",
      "scope",
      "prompt",
    ]);
    expect(await faultsOf(`${addressOf()}&scope=identity`)).toMatchObject({
      "": expect.stringContaining("once"),
    });
  });

  test.each([
    "https://client.test/cb/",
    "https://CLIENT.test/cb",
    "https://client.test:443/cb",
    "http://client.test/cb",
  ])("with the redirect URI %s is told which one it nearly is", async (redirect_uri) => {
    expect((await faultsOf(addressOf({ redirect_uri }))).redirect_uri).toContain(
      "https://client.test/cb.",
    );
  });

  test("is told which scope and which parameter is meant, also in a command line", async () => {
    expect((await faultsOf(addressOf({ scope: "identity,faction" }))).scope).toContain(
      "spaces, not commas: identity faction",
    );
    expect((await faultsOf(addressOf({ scope: "identity fraction" }))).scope).toBe(
      "There is no scope fraction.",
    );
    expect((await faultsOf(addressOf({ scope: "service_key:usage" }))).scope).toContain(
      "service_key:usage",
    );
    expect((await faultsOf(`curl -s '${addressOf()}&state=again&state=more'`))[""]).toBe(
      "Given more than once: state.",
    );
  });

  test("without PKCE of a server-side application is advised to use it, and has no fault", async () => {
    const found = await diagnose(
      ctx,
      owner,
      addressOf({ code_challenge: "", code_challenge_method: "" }),
    );
    if (found.kind !== "request") throw new Error(`It is ${found.kind}.`);
    expect(found.findings.flatMap(({ advice }) => advice ?? [])).toEqual([
      expect.stringContaining("PKCE"),
    ]);
    expect(found.corrected).toBeNull();
  });

  test.each<[string, Record<string, string>, string]>([
    ["commas between scopes", { scope: "identity,profile" }, ""],
    ["doubled scopes", { scope: "identity" }, "&scope=identity"],
    ["a token instead of a code", { response_type: "token" }, ""],
    ["another port", { redirect_uri: "https://client.test:8443/cb" }, ""],
    ["an address that is registered nowhere", { redirect_uri: "https://elsewhere.test/" }, ""],
    ["a method without a challenge", { code_challenge: "" }, ""],
    ["an unknown prompt", { prompt: "x" }, ""],
    ["a request object", {}, "&request=x"],
    ["an unknown scope", { scope: "identity nonsense" }, ""],
  ])("with %s is given the corrected URL, which has no fault", async (_fault, fields, more) => {
    const found = await diagnose(ctx, owner, addressOf(fields) + more);
    if (found.kind !== "request" || !found.corrected) throw new Error(`It is ${found.kind}.`);
    expect(found.corrected.missing).toEqual([]);
    expect(await faultsOf(found.corrected.url)).toEqual({});
  });

  test("is told what the corrected URL leaves out, and no other fault of what is doubled", async () => {
    const text = `${addressOf({ scope: "identity,nonsense,service_key:usage" })}&state=xyz`;
    expect(await diagnose(ctx, owner, text)).toMatchObject({
      corrected: { leftOut: ["nonsense", "service_key:usage"] },
    });
    expect(await faultsOf(text)).toMatchObject({
      "": "Given more than once: state.",
      state: "It is given more than once.",
    });
  });

  test("whose state is missing is told that the application has to add it", async () => {
    expect(await diagnose(ctx, owner, addressOf({ state: "" }))).toMatchObject({
      corrected: { missing: ["state"] },
    });
  });

  test("at another address is told the right one", async () => {
    const found = await diagnose(
      ctx,
      owner,
      addressOf({}, "https://elsewhere.test/oauth/authorize"),
    );
    expect(found).toMatchObject({ addressFault: expect.stringContaining(endpoint) });
  });

  test("of another developer's application, or of none, tells nothing (ID-09)", async () => {
    const theirs = await mintApplication(ctx, await mintUser(ctx), {
      redirectUris: ["https://hidden.test/cb"],
    });
    for (const client_id of [theirs.clientId, "0".repeat(32), "nonsense"])
      expect(await diagnose(ctx, owner, addressOf({ client_id }))).toEqual({
        kind: "no-own-application",
        clientId: client_id,
      });
  });

  test.each([
    ["/oauth/token", "token"],
    ["/oauth/token?grant_type=authorization_code&code=x&client_id=y", "token"],
    ["/oauth/introspect", "introspect"],
    ["/oauth/revoke", "revoke"],
  ])("is not %s, which is named", async (path, name) => {
    const address = ctx.settings.baseUrl + path;
    for (const text of [address, `curl -X POST '${address}' -d grant_type=refresh_token`])
      expect(await diagnose(ctx, owner, text)).toEqual({ kind: "endpoint", endpoint: name });
  });

  test.each([
    ["code=x&state=y", { error: null, isOurs: false }],
    [
      `code=x&state=y&iss=${encodeURIComponent(ctx.settings.baseUrl)}`,
      { error: null, isOurs: true },
    ],
    ["error=access_denied&state=y", { error: "access_denied", isOurs: false }],
    ["error=invalid_scope&error_description=Call+us", { error: "invalid_scope", isOurs: false }],
    ["error=made_up", { error: "other", isOurs: false }],
  ])("is not the response %s, whose error is told and whose code is not", async (query, told) => {
    expect(await diagnose(ctx, owner, `https://client.test/cb?${query}`)).toEqual({
      kind: "callback",
      ...told,
    });
  });

  test.each(["", "hello", "https://client.test/", "\0"])("is not %j", async (text) => {
    expect(await diagnose(ctx, owner, text)).toEqual({ kind: "unreadable" });
  });
});

describe("a request id", () => {
  test("of an own application's call tells what became of it, and nobody else", async () => {
    const requestId = ctx.ids.request();
    const line = {
      requestId,
      method: "GET",
      route: "/user",
      status: 403,
      failureCode: 4004,
      micros: 1,
    };
    ctx.logRequest({
      ...line,
      at: ctx.now(),
      accountId: null,
      clientId: app.clientId,
      address: null,
    });
    await ctx.settled();
    expect(await diagnose(ctx, owner, ` ${requestId} `)).toMatchObject({
      kind: "call",
      application: { clientId: app.clientId },
      call: { status: 403, failureCode: 4004 },
    });
    expect(await diagnose(ctx, await mintUser(ctx), requestId)).toMatchObject({
      kind: "no-such-call",
      isNew: true,
    });
    const other = await mintUser(ctx);
    await mintApplication(ctx, other);
    expect(await diagnose(ctx, other, requestId)).toMatchObject({
      kind: "no-such-call",
      isNew: true,
    });
  });

  test("of a request that leaves no line tells when it was made, of one beyond what is kept nothing", async () => {
    const made = ctx.now();
    const requestId = ctx.ids.request();
    clock.advance(60);
    const second = new Date(Math.floor(made.getTime() / 1_000) * 1_000);
    expect(await diagnose(ctx, owner, requestId)).toEqual({
      kind: "no-such-call",
      isNew: false,
      made: second,
    });
    clock.advance(31 * 86_400);
    expect(await diagnose(ctx, owner, requestId)).toMatchObject({
      kind: "no-such-call",
      made: null,
    });
  });

  test("of a silent request that needed the player, and of one told to slow down, tells it too", async () => {
    const busy = await mintApplication(ctx, owner);
    const asked = await new TestBrowser(ctx).authorize(
      authorizationQuery(busy, { prompt: "none" }),
    );
    await ctx.settled();
    expect(await diagnose(ctx, owner, asked.headers.get("x-request-id") ?? "")).toMatchObject({
      kind: "attempt",
      attempt: { act: "authorization.refused", error: "login_required" },
    });
    const limit = ctx.settings.rates.clientFailures;
    const answers: Response[] = [];
    for (let call = 0; call <= 2 * limit; call++)
      answers.push(await postToken(ctx, busy, { grant_type: "refresh_token", refresh_token: "x" }));
    await ctx.settled();
    const tellOf = (answer: Response | undefined) =>
      diagnose(ctx, owner, answer?.headers.get("x-request-id") ?? "");
    expect(await tellOf(answers[limit])).toMatchObject({
      kind: "attempt",
      attempt: { error: "slow_down" },
    });
    expect(await tellOf(answers[2 * limit])).toMatchObject({ kind: "no-such-call" });
  });

  test("of an authorization request of an address that sent too many tells it", async () => {
    const crowded = await mintApplication(ctx, owner);
    const browser = new TestBrowser(ctx);
    const answers: Response[] = [];
    for (
      let call = 0;
      call <= ctx.settings.rates.authorize + ctx.settings.rates.clientFailures;
      call++
    )
      answers.push(await browser.authorize(authorizationQuery(crowded)));
    await ctx.settled();
    const refused = answers.filter(({ status }) => status === 429);
    const tellOf = (answer: Response | undefined) =>
      diagnose(ctx, owner, answer?.headers.get("x-request-id") ?? "");
    expect(await tellOf(refused[0])).toMatchObject({
      kind: "attempt",
      attempt: { act: "authorization.refused", description: expect.stringContaining("Too many") },
    });
    // A flood fills no log.
    expect(await tellOf(refused.at(-1))).toMatchObject({ kind: "no-such-call" });
    clock.advance(120);
  });

  test("of a refused token or authorization request tells the exact reason", async () => {
    await postToken(ctx, app, { grant_type: "refresh_token", refresh_token: "x" });
    await new TestBrowser(ctx).authorize(authorizationQuery(app, { prompt: "x" }));
    await ctx.settled();
    const { rows } = await showFailedOAuthAttempts(ctx, owner, {
      clientId: app.clientId,
      after: null,
    });
    expect(rows).toHaveLength(2);
    for (const attempt of rows.filter(({ requestId }) => requestId?.length === 22))
      expect(await diagnose(ctx, owner, attempt.requestId ?? "")).toMatchObject({
        kind: "attempt",
        attempt: { description: attempt.description },
      });
    expect(rows.map(({ requestId }) => requestId?.length)).toEqual([22, 22]);
  });
});

describe("a question", () => {
  /** Counts the queries of a context. */
  function counting() {
    let queries = 0;
    const query = new Proxy(ctx.database.query, {
      get(target, name) {
        if (name === "select") queries += 1;
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    return { on: { ...ctx, database: { ...ctx.database, query } }, queries: () => queries };
  }

  test.each(["rt", "ac", "at"])(
    "with 2,300 made-up hashes of adj_%s_ costs what one with a single hash costs",
    async (sign) => {
      const costOf = async (hashes: number) => {
        const { on, queries } = counting();
        const list = Array.from({ length: hashes }, (_, at) => String(at).padStart(43, "x"));
        await diagnose(on, owner, `adj_${sign}_masked:${list.join(",")}`);
        return queries();
      };
      expect(await costOf(2_300)).toBe(await costOf(1));
    },
  );

  test("is counted for the account: after twenty in a minute the next is refused", async () => {
    const asker = await mintUser(ctx);
    const ask = (user = asker) => askDoctor(ctx, user, "hello");
    for (let asked = 0; asked < 20; asked++) expect((await ask()).kind).toBe("unreadable");
    await expect(ask()).rejects.toMatchObject({ reason: "TOO_MANY_QUESTIONS", status: 429 });
    expect((await ask(await mintUser(ctx))).kind).toBe("unreadable");
    clock.advance(60);
    expect((await ask()).kind).toBe("unreadable");
  });
});
