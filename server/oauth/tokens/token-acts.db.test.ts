import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { consents } from "#db/schema/oauth";
import { oauthErrorOf } from "#server/testing/oauth-error-of";
import {
  basic,
  formRequest,
  mintTokens,
  refresh,
  type TestApplication,
} from "#server/testing/oauth-world";
import { tokenWorld } from "#server/testing/token-world";
import { mintUser, testSource } from "#server/testing/world";
import { answerIntrospection, answerRevocation } from "../http";

const { ctx, user, conf, other, pub, nextMinute } = await tokenWorld();
const peer = { address: testSource.address };

describe("revocation", () => {
  const revoke = (app: TestApplication, token: string, fields: Record<string, string> = {}) => {
    const headers: Record<string, string> = app.clientSecret ? { authorization: basic(app) } : {};
    const id: Record<string, string> = app.clientSecret ? {} : { client_id: app.clientId };
    return answerRevocation(ctx, formRequest("revoke", { token, ...id, ...fields }, headers), peer);
  };

  test("MD-03: a refresh token takes its access token with it, at once", async () => {
    nextMinute();
    const tokens = await mintTokens(ctx, conf, { user });
    const response = await revoke(conf, tokens.refresh_token ?? "", {
      token_type_hint: "access_token",
    });
    expect([response.status, await response.text()]).toEqual([200, "{}"]);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
    expect((await refresh(ctx, conf, tokens.refresh_token ?? "")).status).toBe(400);
  });

  test("MD-03: an access token ends alone", async () => {
    const tokens = await mintTokens(ctx, conf, { user });
    expect((await revoke(conf, tokens.access_token)).status).toBe(200);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
    expect((await refresh(ctx, conf, tokens.refresh_token ?? "")).status).toBe(200);
  });

  test("MD-03: a public client revokes its token by its id alone", async () => {
    const tokens = await mintTokens(ctx, pub, { user });
    expect((await revoke(pub, tokens.access_token)).status).toBe(200);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
  });

  test("MD-03: an access token that is revoked while its player is banned stays revoked after the ban", async () => {
    const player = await mintUser(ctx);
    const tokens = await mintTokens(ctx, conf, { user: player });
    const ban = (bannedAt: Date | null) =>
      ctx.database.query
        .update(accounts)
        .set({ bannedAt })
        .where(eq(accounts.id, player.accountId));
    await ban(ctx.now());
    expect((await revoke(conf, tokens.access_token)).status).toBe(200);
    await ban(null);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
  });

  test("MD-03: an unknown token is no error, a missing one and a missing client are", async () => {
    nextMinute();
    expect((await revoke(conf, "unknown")).status).toBe(200);
    expect(await oauthErrorOf(await revoke(conf, ""))).toEqual([400, "invalid_request"]);
    expect(await oauthErrorOf(await revoke({ ...conf, clientSecret: "x" }, "unknown"))).toEqual([
      401,
      "invalid_client",
    ]);
  });

  test("another client's token stays alive", async () => {
    const tokens = await mintTokens(ctx, conf, { user });
    for (const token of [tokens.access_token, tokens.refresh_token ?? ""])
      expect(await oauthErrorOf(await revoke(other, token))).toEqual([400, "invalid_grant"]);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
  });
});

describe("introspection", () => {
  const ask = async (app: TestApplication | null, token: string) => {
    const headers: Record<string, string> = app ? { authorization: basic(app) } : {};
    return answerIntrospection(ctx, formRequest("introspect", { token }, headers), peer);
  };
  const told = async (app: TestApplication, token: string) => (await ask(app, token)).json();

  test("a client is told about its own live tokens, and about no others", async () => {
    nextMinute();
    const tokens = await mintTokens(ctx, conf, { user, scopes: ["identity", "faction"] });
    const issued = Math.floor(ctx.now().getTime() / 1000);
    expect(await told(conf, tokens.access_token)).toEqual({
      active: true,
      scope: "identity faction",
      client_id: conf.clientId,
      sub: String(user.playerId),
      iss: ctx.settings.baseUrl,
      iat: issued,
      exp: issued + 3_600,
      token_type: "Bearer",
    });
    expect(await told(conf, tokens.refresh_token ?? "")).toMatchObject({
      active: true,
      exp: issued + 30 * 86_400,
    });
    for (const token of [tokens.access_token, tokens.refresh_token ?? ""])
      expect(await told(other, token)).toEqual({ active: false });
    expect(await told(conf, "unknown")).toEqual({ active: false });
    await refresh(ctx, conf, tokens.refresh_token ?? "");
    for (const token of [tokens.access_token, tokens.refresh_token ?? ""])
      expect(await told(conf, token)).toEqual({ active: false });
  });

  test("a token of a paused consent is not active", async () => {
    const paused = await mintUser(ctx);
    const tokens = await mintTokens(ctx, conf, { user: paused });
    const pausedAt = ctx.now();
    await ctx.database.query
      .update(consents)
      .set({ pausedAt })
      .where(eq(consents.accountId, paused.accountId));
    for (const token of [tokens.access_token, tokens.refresh_token ?? ""])
      expect(await told(conf, token)).toEqual({ active: false });
  });

  test("MD-05: nobody asks without a secret", async () => {
    nextMinute();
    expect(await oauthErrorOf(await ask(null, "x"))).toEqual([401, "invalid_client"]);
    const asPublic = formRequest("introspect", { token: "x", client_id: pub.clientId });
    expect(await oauthErrorOf(await answerIntrospection(ctx, asPublic, peer))).toEqual([
      401,
      "invalid_client",
    ]);
  });
});
