import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { apiPrefix } from "./machine-path";
import { deleteApplication } from "./oauth/clients/application-acts";
import { createSecret } from "./oauth/clients/secrets/secret-acts";
import { revokeConsents } from "./oauth/consents/consent-acts";
import { listConsents } from "./oauth/consents/list-consents";
import { compileDispatch } from "./rest/dispatch";
import { routes } from "./routes";
import { testDatabase } from "./testing/database";
import { rate, readAnswer, type TestAnswer } from "./testing/dispatch-world";
import { mintApplication, mintTokens, refresh } from "./testing/oauth-world";
import { testContext } from "./testing/test-context";
import { mintUser } from "./testing/world";

/**
 * Bearer tokens and rate limits with the provider's own tokens, its cache, and the default limits.
 */
const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { tokenCache: true },
});
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const address = "192.0.2.77";

interface Sent {
  readonly authorization?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

async function call(
  path: string,
  { authorization, headers = {}, method = "GET", body }: Sent = {},
): Promise<TestAnswer> {
  const sent = { ...headers, ...(authorization !== undefined && { authorization }) };
  const request = new Request(`http://any.host${apiPrefix}${path}`, {
    method,
    headers: sent,
    body,
  });
  return readAnswer(await dispatch(ctx, request, { address }));
}

const live = async () => {
  const user = await mintUser(ctx);
  return { user, ...(await mintTokens(ctx, app, { user })) };
};
const codeOf = ({ json }: TestAnswer) => (json as { code?: number }).code;

// Each test has a window of its own, ten seconds old.
beforeEach(() => clock.advance(60));

describe("a token that is none", () => {
  test("BR-02 BR-16: unknown, expired, replaced, revoked, of a deleted application or of a banned player: all alike", async () => {
    const expired = await live();
    clock.advance(3_600);
    const replaced = await live();
    await refresh(ctx, app, replaced.refresh_token ?? "");
    const revoked = await live();
    for (const { consentId } of await listConsents(ctx, revoked.user))
      await revokeConsents(ctx, revoked.user, { consentIds: [consentId] });
    const gone = await mintApplication(ctx, owner);
    const orphan = await mintTokens(ctx, gone, { user: owner });
    await deleteApplication(ctx, owner, {
      clientId: gone.clientId,
      confirmName: "Test application",
    });
    const banned = await live();
    const bannedAt = ctx.now();
    await ctx.database.query
      .update(accounts)
      .set({ bannedAt })
      .where(eq(accounts.id, banned.user.accountId));
    const { access_token: token, refresh_token } = await live();
    const dead = [expired, replaced, revoked, orphan, banned].map(
      ({ access_token }) => access_token,
    );
    const unknown = [
      "x",
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
      refresh_token ?? "",
    ];

    const answers = [];
    for (const text of [...dead, ...unknown])
      answers.push(await call("/user", { authorization: `Bearer ${text}` }));
    const seen = answers.map(({ status, text, headers }) => ({
      status,
      text,
      said: headers.get("www-authenticate"),
      names: [...headers.keys()],
    }));
    expect(seen).toEqual(Array(seen.length).fill(seen[0]));
    expect(seen[0]).toMatchObject({
      status: 401,
      said: expect.stringContaining('error="invalid_token"'),
    });
    expect((await call("/user", { authorization: `Bearer ${token}` })).status).toBe(200);
  });
});

test("TK-39: a secret is refused from the moment that it expires, though it was right and remembered just before", async () => {
  const named = { clientId: app.clientId, name: "Short", livesDays: 30 } as const;
  const { secret } = await createSecret(ctx, owner, named);
  const expiry = ctx.now().getTime() + 30 * 86_400_000;
  const asked = async (milliseconds: number) => {
    clock.set(new Date(expiry + milliseconds));
    return (await refresh(ctx, { ...app, clientSecret: secret }, "adj_rt_none")).status;
  };
  expect([await asked(-200), await asked(-1), await asked(0), await asked(1)]).toEqual([
    400, 400, 401, 401,
  ]);
});

describe("where a token is read", () => {
  test("BR-04: not in the query, nor in a body of any kind, nor in a cookie", async () => {
    const { access_token } = await live();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const path = "/stat/chain-list";
    const answers = [
      await call(`/user?access_token=${access_token}&token=${access_token}`),
      await call("/user", {
        headers: { cookie: `access_token=${access_token}; adjutant_session=${access_token}` },
      }),
      await call(path, { method: "POST", headers: form, body: `access_token=${access_token}` }),
      await call(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ access_token }),
      }),
      await call("/user", {
        headers: {
          "x-access-token": access_token,
          "proxy-authorization": `Bearer ${access_token}`,
        },
      }),
    ];
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(
      answers.map(() => [401, 4001]),
    );
  });

  test("BR-05: the header alone counts, whatever the query says", async () => {
    const [mine, yours] = [await live(), await live()];
    const authorization = `Bearer ${mine.access_token}`;
    const own = await call(`/user?access_token=${yours.access_token}`, { authorization });
    expect(own.json).toMatchObject({ tid: mine.user.playerId });
    const dead = await call(`/user?access_token=${yours.access_token}`, {
      authorization: "Bearer x",
    });
    expect([dead.status, codeOf(dead)]).toEqual([401, 4002]);
  });

  test("BR-06 BR-07: in a header of one form, in any case of its scheme", async () => {
    const { access_token: token } = await live();
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      expect((await call("/user", { authorization: `${scheme} ${token}` })).status).toBe(200);
    const wrong = [
      "Bearer",
      `Bearer  ${token}`,
      `Bearer\t${token}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token},`,
      `Bearer "${token}"`,
      `Bearer token=${token}`,
      `Bearer${token}`,
      `Token ${token}`,
      `DPoP ${token}`,
      `Basic ${Buffer.from(`:${token}`).toString("base64")}`,
      token,
    ];
    for (const authorization of wrong)
      expect([authorization, (await call("/user", { authorization })).status]).toEqual([
        authorization,
        401,
      ]);
  });
});

describe("the limits as they are shipped", () => {
  test("RL-01 RL-02 RL-03: 250 calls of a holder pass in a minute, faults among them; 249 are left after the first of the next", async () => {
    const { access_token } = await live();
    const authorization = `Bearer ${access_token}`;
    const paths = ["/user", "/nothing", "/faction/positions", "/user"];
    for (let made = 1; made <= 250; made++) {
      const method = made % 4 === 0 ? "PATCH" : "GET";
      const answer = await call(paths[made % 4] ?? "", { authorization, method });
      expect([answer.status < 500 && answer.status !== 429, ...rate(answer)]).toEqual([
        true,
        250,
        250 - made,
        50,
      ]);
    }
    const refused = await call("/user", { authorization });
    expect([refused.status, codeOf(refused), ...rate(refused)]).toEqual([429, 4000, 250, 0, 50]);
    expect(refused.headers.get("retry-after")).toBe("50");
    clock.advance(49);
    expect(rate(await call("/user", { authorization }))).toEqual([250, 0, 1]);
    clock.advance(1);
    const next = await call("/user", { authorization });
    expect([next.status, ...rate(next)]).toEqual([200, 250, 249, 60]);
  });

  test("RL-02: a refresh brings no new window", async () => {
    const first = await live();
    for (let made = 0; made < 3; made++)
      await call("/user", { authorization: `Bearer ${first.access_token}` });
    const { access_token } = await (await refresh(ctx, app, first.refresh_token ?? "")).json();
    expect(rate(await call("/user", { authorization: `Bearer ${access_token}` }))[1]).toBe(246);
  });

  test("RL-10: of 300 calls without a live token from one address 250 are answered, and no holder pays for them", async () => {
    const { access_token } = await live();
    const statuses = [];
    for (let made = 0; made < 300; made++)
      statuses.push((await call("/user", { authorization: `Bearer x${made}` })).status);
    expect(statuses).toEqual([...Array(250).fill(401), ...Array(50).fill(429)]);
    const own = await call("/user", { authorization: `Bearer ${access_token}` });
    expect([own.status, ...rate(own).slice(0, 2)]).toEqual([200, 250, 249]);
  });
});
