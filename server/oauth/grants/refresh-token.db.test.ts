import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, notices } from "#db/schema/accounts";
import {
  accessTokens,
  applications,
  authorizationCodes,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import { covers, scopeNames } from "#server/scopes";
import { testDatabase } from "#server/testing/database";
import { expectRefusal } from "#server/testing/expect-refusal";
import {
  mintApplication,
  mintTokens,
  postToken,
  refresh,
  type TestApplication,
  unthrottled,
} from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "./authorization-code";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database, settings: { rates: unthrottled } });
const owner = await mintUser(ctx);
const conf = await mintApplication(ctx, owner);
const day = 86_400;

const replyOf = async (response: Response) =>
  (await response.json()) as TokenReply & { refresh_token: string };
const moveOn = async (app: TestApplication, token: string, fields: Record<string, string> = {}) => {
  const response = await refresh(ctx, app, token, fields);
  expect(response.status).toBe(200);
  return replyOf(response);
};

/** A chain for a new player. */
async function chain(
  scopes: Parameters<typeof mintTokens>[2]["scopes"] = ["identity"],
  app = conf,
) {
  const user = await mintUser(ctx);
  return {
    user,
    tokens: (await mintTokens(ctx, app, { user, scopes })) as TokenReply & {
      refresh_token: string;
    },
  };
}

const isLive = async (token: string) => (await ctx.tokens.authenticate(token)) !== undefined;
const noticeKinds = async (user: PortalUser) =>
  (await listOwnNotices(ctx, user)).map(({ kind }) => kind);
const setConsent = (user: PortalUser, fields: Partial<typeof consents.$inferInsert>) =>
  ctx.database.query.update(consents).set(fields).where(eq(consents.accountId, user.accountId));

describe("a refresh", () => {
  test("RF-01: gives a new pair, and the access token before it is dead at once (§7 row 29)", async () => {
    const { tokens } = await chain();
    const next = await moveOn(conf, tokens.refresh_token);
    expect(next).toEqual({
      access_token: expect.stringMatching(/^adj_at_/),
      token_type: "Bearer",
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^adj_rt_/),
      scope: "identity",
    });
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await isLive(tokens.access_token)).toBe(false);
    expect(await isLive(next.access_token)).toBe(true);
  });

  test("revokes the access token of its own grant: another device keeps its own", async () => {
    const { user, tokens } = await chain();
    const elsewhere = await mintTokens(ctx, conf, { user });
    await moveOn(conf, tokens.refresh_token);
    expect(await isLive(elsewhere.access_token)).toBe(true);
  });

  test("RF-02: is not for public clients", async () => {
    const pub = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
    const { tokens } = await chain();
    await expectRefusal(await refresh(ctx, pub, tokens.refresh_token), 400, "unauthorized_client");
  });

  test("RF-03: needs a token that was issued", async () => {
    const { tokens } = await chain();
    await expectRefusal(
      await postToken(ctx, conf, { grant_type: "refresh_token" }),
      400,
      "invalid_request",
    );
    await expectRefusal(await refresh(ctx, conf, "unknown"), 400, "invalid_grant");
    await expectRefusal(
      await refresh(ctx, conf, tokens.refresh_token.slice(0, -1)),
      400,
      "invalid_grant",
    );
    await expectRefusal(await refresh(ctx, conf, tokens.access_token), 400, "invalid_grant");
  });

  test("RF-04 RF-05: by another client or with a wrong secret is refused, and the token still works", async () => {
    const { tokens } = await chain();
    const other = await mintApplication(ctx, await mintUser(ctx));
    await expectRefusal(await refresh(ctx, other, tokens.refresh_token), 400, "invalid_grant");
    await expectRefusal(
      await refresh(ctx, { ...conf, clientSecret: "x" }, tokens.refresh_token),
      401,
      "invalid_client",
    );
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    await expectRefusal(await postToken(ctx, null, fields), 401, "invalid_client");
    await expectRefusal(
      await postToken(ctx, null, { ...fields, client_id: conf.clientId }),
      401,
      "invalid_client",
    );
    await moveOn(conf, tokens.refresh_token);
  });
});

describe("the scope of a refresh", () => {
  test("RF-11 RF-12: may repeat or narrow the grant, never widen it; the chain keeps all of it", async () => {
    const { tokens } = await chain(["identity", "faction:crimes"]);
    const same = await moveOn(conf, tokens.refresh_token, { scope: "faction:crimes identity" });
    expect(same.scope).toBe("identity faction:crimes");
    const narrow = await moveOn(conf, same.refresh_token, { scope: "identity" });
    expect(narrow.scope).toBe("identity");
    expect(await ctx.tokens.authenticate(narrow.access_token)).toMatchObject({
      actor: { scopes: ["identity"] },
    });
    await expectRefusal(
      await refresh(ctx, conf, narrow.refresh_token, { scope: "faction" }),
      400,
      "invalid_scope",
    );
    await expectRefusal(
      await refresh(ctx, conf, narrow.refresh_token, { scope: "nonsense" }),
      400,
      "invalid_scope",
    );
    expect((await moveOn(conf, narrow.refresh_token)).scope).toBe("identity faction:crimes");
  });

  test("a grant for faction covers a part of it", async () => {
    const { tokens } = await chain(["faction"]);
    expect((await moveOn(conf, tokens.refresh_token, { scope: "faction:banking" })).scope).toBe(
      "faction:banking",
    );
  });

  test("is narrowed by the same rule everywhere: faction covers its parts, and nothing else covers anything", async () => {
    const app = await mintApplication(ctx, owner, { scopes: [...scopeNames] });
    for (const granted of scopeNames) {
      let { tokens } = await chain([granted], app);
      for (const requested of scopeNames) {
        const response = await refresh(ctx, app, tokens.refresh_token, { scope: requested });
        expect([granted, requested, response.status]).toEqual([
          granted,
          requested,
          covers([granted], requested) ? 200 : 400,
        ]);
        if (response.status === 200) tokens = await replyOf(response);
      }
    }
  });

  test("RF-15: a scope taken from the application is gone from the next token, and from the one in use", async () => {
    const app = await mintApplication(ctx, owner, { scopes: ["identity", "service_key:usage"] });
    const { tokens } = await chain(["identity", "service_key:usage"], app);
    await ctx.database.query
      .update(applications)
      .set({ scopes: ["identity"] })
      .where(eq(applications.clientId, app.clientId));
    expect(await ctx.tokens.authenticate(tokens.access_token)).toMatchObject({
      actor: { scopes: ["identity"] },
    });
    expect((await moveOn(app, tokens.refresh_token)).scope).toBe("identity");
  });

  test("a scope taken from the consent is gone as well", async () => {
    const { user, tokens } = await chain(["identity", "faction:crimes"]);
    await setConsent(user, { scopes: ["identity"] });
    expect((await moveOn(conf, tokens.refresh_token)).scope).toBe("identity");
  });
});

describe("a refresh token that was used before", () => {
  test("RF-06: gets the identical reply inside the window; after it the whole grant is dead", async () => {
    const { user, tokens } = await chain(["identity", "faction:crimes"]);
    const first = await moveOn(conf, tokens.refresh_token, { scope: "identity" });
    clock.advance(30);
    // The last millisecond of the window, even after a sweep.
    await sweepAll(ctx);
    expect(await moveOn(conf, tokens.refresh_token)).toEqual(first);
    expect(await isLive(first.access_token)).toBe(true);
    clock.advance(0.001);
    await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
    expect(await isLive(first.access_token)).toBe(false);
    await expectRefusal(await refresh(ctx, conf, first.refresh_token), 400, "invalid_grant");
    expect(await noticeKinds(user)).toEqual(["refresh-reused"]);
    expect(await noticeKinds(owner)).toContain("refresh-reused");
  });

  test("notifies each player, and the developer once an hour: players cause it", async () => {
    clock.advance(day);
    const before = (await noticeKinds(owner)).length;
    const misuse = async () => {
      const { user, tokens } = await chain();
      await moveOn(conf, tokens.refresh_token);
      clock.advance(60);
      await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
      expect(await noticeKinds(user)).toEqual(["refresh-reused"]);
      return (await noticeKinds(owner)).length - before;
    };
    expect([await misuse(), await misuse(), await misuse()]).toEqual([1, 1, 1]);
    clock.advance(3_600);
    expect(await misuse()).toBe(2);
  });

  test("is theft also while the player is banned: the grant does not return with the end of the ban", async () => {
    const { user, tokens } = await chain();
    const next = await moveOn(conf, tokens.refresh_token);
    clock.advance(31);
    const ban = (bannedAt: Date | null) =>
      ctx.database.query.update(accounts).set({ bannedAt }).where(eq(accounts.id, user.accountId));
    await ban(ctx.now());
    for (const token of [next.refresh_token, tokens.refresh_token])
      await expectRefusal(await refresh(ctx, conf, token), 400, "invalid_grant");
    await ban(null);
    await expectRefusal(await refresh(ctx, conf, next.refresh_token), 400, "invalid_grant");
    expect(await noticeKinds(user)).toEqual(["refresh-reused"]);
  });

  test("SC-01: is replayed from what nobody can read: no table holds a token", async () => {
    const { tokens } = await chain();
    const next = await moveOn(conf, tokens.refresh_token);
    const on = ctx.database.query;
    const tables = [
      accessTokens,
      refreshTokens,
      authorizationCodes,
      grants,
      consents,
      auditLog,
      notices,
    ];
    const dump = await Promise.all(tables.map(async (table) => on.select().from(table)));
    const text = JSON.stringify(dump, (_key, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(text).toContain(conf.clientId);
    expect(text).not.toMatch(/adj_/);
    expect(
      [next.access_token, next.refresh_token].filter((token) => text.includes(token.slice(7))),
    ).toEqual([]);
  });

  test("theft ends one grant alone, and is told once", async () => {
    const { user, tokens } = await chain();
    const elsewhere = await mintTokens(ctx, conf, { user });
    await moveOn(conf, tokens.refresh_token);
    clock.advance(31);
    for (let time = 0; time < 3; time++)
      await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
    expect(await noticeKinds(user)).toHaveLength(1);
    expect(await isLive(elsewhere.access_token)).toBe(true);
  });

  test("is refused, and ends nothing, once its successor was used inside the window", async () => {
    const { tokens } = await chain();
    const second = await moveOn(conf, tokens.refresh_token);
    const third = await moveOn(conf, second.refresh_token);
    await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
    expect(await isLive(third.access_token)).toBe(true);
    await moveOn(conf, third.refresh_token);
  });

  test("gets no reply of a grant that ended meanwhile", async () => {
    const { user, tokens } = await chain();
    await moveOn(conf, tokens.refresh_token);
    await setConsent(user, { revokedAt: ctx.now() });
    await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
  });

  test("by another client ends nothing, however late", async () => {
    const { tokens } = await chain();
    const next = await moveOn(conf, tokens.refresh_token);
    clock.advance(60);
    const other = await mintApplication(ctx, owner);
    await expectRefusal(await refresh(ctx, other, tokens.refresh_token), 400, "invalid_grant");
    expect(await isLive(next.access_token)).toBe(true);
  });
});

describe("the end of a chain", () => {
  test("§7 row 28: a token that nobody used for 30 days has expired", async () => {
    const [used, { tokens }] = [await chain(), await chain()];
    clock.advance(30 * day - 1);
    await moveOn(conf, used.tokens.refresh_token);
    clock.advance(1);
    await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
  });

  test("RF-17: a chain ends after 180 days, however often it was refreshed", async () => {
    let { tokens } = await chain();
    for (let month = 0; month < 6; month++) {
      clock.advance(29 * day);
      tokens = await moveOn(conf, tokens.refresh_token);
    }
    clock.advance(6 * day - 1);
    tokens = await moveOn(conf, tokens.refresh_token);
    expect(tokens.expires_in).toBe(1);
    clock.advance(1);
    expect(await isLive(tokens.access_token)).toBe(false);
    await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
  });

  test("nothing outlives the consent", async () => {
    const { user, tokens } = await chain();
    await setConsent(user, { until: new Date(ctx.now().getTime() + 600_000) });
    const next = await moveOn(conf, tokens.refresh_token);
    expect(next.expires_in).toBe(600);
    clock.advance(600);
    expect(await isLive(next.access_token)).toBe(false);
    await expectRefusal(await refresh(ctx, conf, next.refresh_token), 400, "invalid_grant");
  });

  test("a paused consent refuses, and burns nothing", async () => {
    const { user, tokens } = await chain();
    await setConsent(user, { pausedAt: ctx.now() });
    expect(await ctx.tokens.authenticate(tokens.access_token)).toMatchObject({ status: "paused" });
    await expectRefusal(await refresh(ctx, conf, tokens.refresh_token), 400, "invalid_grant");
    await setConsent(user, { pausedAt: null });
    await moveOn(conf, tokens.refresh_token);
  });

  test("a suspended application is told so, and its tokens are known but not let through", async () => {
    const app = await mintApplication(ctx, owner);
    const { tokens } = await chain(["identity"], app);
    const suspend = (suspendedAt: Date | null) =>
      ctx.database.query
        .update(applications)
        .set({ suspendedAt })
        .where(eq(applications.clientId, app.clientId));
    await suspend(ctx.now());
    expect(await ctx.tokens.authenticate(tokens.access_token)).toMatchObject({
      status: "suspended",
    });
    await expectRefusal(await refresh(ctx, app, tokens.refresh_token), 400, "unauthorized_client");
    await suspend(null);
    await moveOn(app, tokens.refresh_token);
  });
});
