import { expect, test } from "vitest";
import { createSession, readSession } from "#server/auth/sessions";
import { lockAccount } from "#server/auth/store";
import { expectWithin } from "#server/testing/lived-time";
import { mintApplication, mintTokens, postToken, unthrottled } from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser, testSource } from "#server/testing/world";
import { banAccount, unbanAccount } from "./accounts";
import { resumeApplication, suspendApplication } from "./applications";

// Each suspension causes many refused token requests, which must not be throttled.
const { here, there } = await twoInstances({ rates: unthrottled });
const { ctx, clock } = here;
const admin = { ...(await mintUser(ctx)), admin: true };
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const times = 100;
/** Milliseconds. */
const within = 1_000;
const reason = "A test.";

// The fixed clock keeps caches fresh, so only messages between instances can end anything.

test("RE-40 BR-16 PT-16: a ban is felt here at once and on the other instance within a second, 100 of 100", async () => {
  let felt = 0;
  for (let round = 0; round < times; round++) {
    clock.advance(10);
    const user = await mintUser(ctx);
    const { accountId } = user;
    const { access_token } = await mintTokens(ctx, app, { user });
    const browser = { address: null, userAgent: null };
    const { token } = await createSession(ctx, ctx.database.query, {
      accountId,
      from: browser,
      proof: "game-key",
    });
    expect(await there.ctx.tokens.authenticate(access_token)).toBeDefined();
    expect(await readSession(there.ctx, token, testSource)).not.toBeNull();

    await banAccount(ctx, admin, { accountId, reason });
    expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
    expect(await readSession(ctx, token, testSource)).toBeNull();
    await expectWithin(within, () => there.ctx.tokens.authenticate(access_token)).toBeUndefined();
    expect(await readSession(there.ctx, token, testSource)).toBeNull();

    await unbanAccount(ctx, admin, { accountId });
    expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
    expect(await there.ctx.tokens.authenticate(access_token)).toBeDefined();
    felt++;
  }
  expect(felt).toBe(times);
}, 120_000);

test("RE-40: a suspension is felt here at once and on the other instance within a second, 100 of 100", async () => {
  const { clientId } = app;
  const { access_token } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  const status = async (context: typeof ctx) =>
    (await context.tokens.authenticate(access_token))?.status;
  const renewal = async (context: typeof ctx) => {
    const answer = await postToken(context, app, {
      grant_type: "refresh_token",
      refresh_token: "x",
    });
    return ((await answer.json()) as { error: string }).error;
  };
  let felt = 0;
  for (let round = 0; round < times; round++) {
    clock.advance(1);
    const before = [await status(there.ctx), await renewal(there.ctx)];
    expect(before).toEqual(["active", "invalid_grant"]);
    await suspendApplication(ctx, admin, { clientId, reason });
    expect([await status(ctx), await renewal(ctx)]).toEqual(["suspended", "unauthorized_client"]);
    await expectWithin(within, () => status(there.ctx)).toBe("suspended");
    await expectWithin(within, () => renewal(there.ctx)).toBe("unauthorized_client");

    await resumeApplication(ctx, admin, { clientId });
    expect([await status(ctx), await renewal(ctx)]).toEqual(["active", "invalid_grant"]);
    await expectWithin(within, () => status(there.ctx)).toBe("active");
    felt++;
  }
  expect(felt).toBe(times);
}, 120_000);

test("a ban and a sign-in at the same moment leave no session behind", async () => {
  for (let round = 0; round < 20; round++) {
    const { accountId } = await mintUser(ctx);
    const opened: string[] = [];
    const signIn = there.ctx.database.transaction(async (tx) => {
      if ((await lockAccount(tx, accountId))?.bannedAt !== null) return;
      const browser = { address: null, userAgent: null };
      opened.push(
        (await createSession(there.ctx, tx, { accountId, from: browser, proof: "game-key" })).token,
      );
    });
    await Promise.all([banAccount(ctx, admin, { accountId, reason }), signIn]);
    for (const token of opened) expect(await readSession(there.ctx, token, testSource)).toBeNull();
  }
});
