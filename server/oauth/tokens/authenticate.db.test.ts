import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applicationSecrets, consents } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { revokeConsents } from "../consents/consent-acts";
import { listConsents } from "../consents/list-consents";
import type { TokenReply } from "../grants/authorization-code";

const database = await testDatabase();
const plain = await testContext({ database });
const { ctx, clock } = plain;
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });

test("a token tells who acts, through which application, for what", async () => {
  const user = await mintUser(ctx);
  const tokens = await mintTokens(ctx, app, { user, scopes: ["faction:crimes", "identity"] });
  expect(await ctx.tokens.authenticate(tokens.access_token)).toEqual({
    status: "active",
    actor: {
      kind: "token",
      accountId: user.accountId,
      playerId: user.playerId,
      clientId: app.clientId,
      consentId: expect.any(String),
      grantId: expect.any(String),
      scopes: ["identity", "faction:crimes"],
    },
    player: expect.objectContaining({ playerId: user.playerId }),
    expiresAt: new Date(ctx.now().getTime() + ctx.settings.lifetimes.access * 1_000),
  });
});

test("a remembered token keeps its player's record for 800 ms, and not past a change in this process", async () => {
  const { ctx: cached, clock } = await testContext({ database, settings: { tokenCache: true } });
  const user = await mintUser(cached);
  const { access_token: token } = await mintTokens(cached, await mintApplication(cached, user), {
    user,
  });
  const nameNow = async () => (await cached.tokens.authenticate(token))?.player?.name;
  const rename = (name: string) =>
    database.query.update(players).set({ name }).where(eq(players.id, user.playerId));
  await rename("First");
  expect(await nameNow()).toBe("First");
  await rename("Second");
  clock.advance(0.799);
  expect(await nameNow()).toBe("First");
  clock.advance(0.001);
  expect(await nameNow()).toBe("Second");
  await rename("Third");
  cached.tokens.forget({ playerId: user.playerId });
  expect(await nameNow()).toBe("Third");
});

describe("BR-02 BR-16: a token is nothing", () => {
  test("when it was made up, mistyped, expired, or is of another kind", async () => {
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    for (const text of [
      "",
      "x",
      tokens.access_token.slice(0, -1),
      `${tokens.access_token}0`,
      tokens.refresh_token ?? "",
    ])
      expect(await ctx.tokens.authenticate(text)).toBeUndefined();
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
    clock.advance(3_600);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
  });

  test("when its player is banned", async () => {
    const user = await mintUser(ctx);
    const tokens = await mintTokens(ctx, app, { user });
    const bannedAt = ctx.now();
    await ctx.database.query
      .update(accounts)
      .set({ bannedAt })
      .where(eq(accounts.id, user.accountId));
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
    expect((await refresh(ctx, app, tokens.refresh_token ?? "")).status).toBe(400);
  });
});

describe("after a change of the server secret", () => {
  const secrets = ["A", "B", "C"].map(
    (name) => `${name}-tests-alone-use-this-Secret-0123456789-abcdefghij`,
  );
  const onItsOwn = async () => {
    const database = await testDatabase();
    const withSecrets = (serverSecret?: string, previousServerSecret?: string) =>
      testContext({ database, beside: plain, settings: { serverSecret, previousServerSecret } });
    return { database, withSecrets };
  };

  test("nobody is signed out, and what is used moves to the new secret, so that the next change ends it neither", async () => {
    const [a, b, c] = secrets;
    const { database, withSecrets } = await onItsOwn();
    const before = await withSecrets(a);
    const client = await mintApplication(before.ctx, await mintUser(before.ctx));
    const user = await mintUser(before.ctx);
    const used = await mintTokens(before.ctx, client, { user });
    const idle = await mintTokens(before.ctx, client, { user });

    const after = await withSecrets(b, a);
    expect(await after.ctx.tokens.authenticate(used.access_token)).toBeDefined();
    await after.ctx.settled();
    const moved = (await (
      await refresh(after.ctx, client, idle.refresh_token ?? "")
    ).json()) as TokenReply;
    await after.ctx.settled();
    const rows = await database.query
      .select({ keyId: applicationSecrets.hashKeyId })
      .from(applicationSecrets)
      .where(eq(applicationSecrets.clientId, client.clientId));
    expect(rows).toEqual([{ keyId: after.ctx.keyring.hmac("token", "x").keyId }]);
    // A refresh of the chain revokes the moved access token.
    const chained = await refresh(after.ctx, client, used.refresh_token ?? "");
    expect(chained.status).toBe(200);
    expect(await after.ctx.tokens.authenticate(used.access_token)).toBeUndefined();

    const later = await withSecrets(c, b);
    expect(await later.ctx.tokens.authenticate(moved.access_token)).toBeDefined();
    expect((await refresh(later.ctx, client, moved.refresh_token ?? "")).status).toBe(200);
  });

  test("a lost reply is still given again", async () => {
    const [a, b] = secrets;
    const { withSecrets } = await onItsOwn();
    const before = await withSecrets(a);
    const client = await mintApplication(before.ctx, await mintUser(before.ctx));
    const tokens = await mintTokens(before.ctx, client, { user: await mintUser(before.ctx) });
    const first = await (await refresh(before.ctx, client, tokens.refresh_token ?? "")).json();
    const after = await withSecrets(b, a);
    expect(await (await refresh(after.ctx, client, tokens.refresh_token ?? "")).json()).toEqual(
      first,
    );
  });
});

describe("with the token cache", () => {
  test("a token is looked up once in 800 ms, and a revocation here is felt at once", async () => {
    const { ctx: cached } = await testContext({
      database,
      beside: plain,
      settings: { tokenCache: true },
    });
    const user = await mintUser(cached);
    const tokens = await mintTokens(cached, app, { user });
    expect(await cached.tokens.authenticate(tokens.access_token)).toBeDefined();
    // Written past the service, so that only the cache can still know the token.
    const revokedAt = cached.now();
    const { hash } = cached.keyring.hmac("token", tokens.access_token);
    await database.query.update(accessTokens).set({ revokedAt }).where(eq(accessTokens.hash, hash));
    expect(await cached.tokens.authenticate(tokens.access_token)).toBeDefined();
    clock.advance(0.8);
    expect(await cached.tokens.authenticate(tokens.access_token)).toBeUndefined();

    const next = await mintTokens(cached, app, { user });
    expect(await cached.tokens.authenticate(next.access_token)).toBeDefined();
    const [consent] = await listConsents(cached, user);
    await revokeConsents(cached, user, { consentIds: [consent?.consentId ?? ""] });
    expect(await cached.tokens.authenticate(next.access_token)).toBeUndefined();
  });

  test("RF-01: the token before a refresh is dead at once", async () => {
    const { ctx: cached } = await testContext({
      database,
      beside: plain,
      settings: { tokenCache: true },
    });
    const tokens = await mintTokens(cached, app, { user: await mintUser(cached) });
    expect(await cached.tokens.authenticate(tokens.access_token)).toBeDefined();
    expect((await refresh(cached, app, tokens.refresh_token ?? "")).status).toBe(200);
    expect(await cached.tokens.authenticate(tokens.access_token)).toBeUndefined();
  });

  test("a revocation whose transaction is undone ends nothing", async () => {
    const { ctx: cached } = await testContext({
      database,
      beside: plain,
      settings: { tokenCache: true },
    });
    const user = await mintUser(cached);
    const tokens = await mintTokens(cached, app, { user });
    const undone = cached.database.transaction(async (tx) => {
      await tx
        .update(consents)
        .set({ revokedAt: cached.now() })
        .where(eq(consents.accountId, user.accountId));
      await cached.tokens.announceRevocation(tx, { accountId: user.accountId });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await cached.tokens.authenticate(tokens.access_token)).toBeDefined();
  });
});
