import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  accessTokens,
  authorizationCodes,
  authorizationRequests,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import {
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  unthrottled,
} from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { revokeConsents } from "./consents/consent-acts";
import { listConsents } from "./consents/list-consents";
import type { TokenReply } from "./grants/authorization-code";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database, settings: { rates: unthrottled } });
const on = database.query;
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const minute = 60;
const day = 86_400;

async function chain() {
  const user = await mintUser(ctx);
  const tokens = (await mintTokens(ctx, app, { user })) as TokenReply & { refresh_token: string };
  return { user, tokens };
}
const moveOn = async (token: string) => {
  const response = await refresh(ctx, app, token);
  expect(response.status).toBe(200);
  return (await response.json()) as TokenReply & { refresh_token: string };
};
const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error;

/** Rows below the user's consents. */
async function stored(user: PortalUser) {
  const of = eq(consents.accountId, user.accountId);
  const below = on.select({ id: grants.id, consentId: grants.consentId }).from(grants);
  const own = await below.innerJoin(consents, eq(consents.id, grants.consentId)).where(of);
  const among = new Set(own.map(({ id }) => id));
  const rowsOf = (rows: { grantId: string }[]) =>
    rows.filter(({ grantId }) => among.has(grantId)).length;
  return {
    consents: (await on.select().from(consents).where(of)).length,
    grants: own.length,
    codes: rowsOf(await on.select().from(authorizationCodes)),
    access: rowsOf(await on.select().from(accessTokens)),
    refresh: rowsOf(await on.select().from(refreshTokens)),
  };
}
const nothing = { grants: 0, codes: 0, access: 0, refresh: 0 };

test("what lives is kept, a used code for a day, and an access token for a day after it ended", async () => {
  const { user, tokens } = await chain();
  clock.advance(50 * minute);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ consents: 1, grants: 1, codes: 1, access: 1, refresh: 1 });
  expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
  clock.advance(day + minute);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ consents: 1, grants: 1, codes: 0, access: 1, refresh: 1 });
  clock.advance(10 * minute);
  await sweepAll(ctx);
  expect(await stored(user)).toMatchObject({ access: 0, refresh: 1 });
  expect((await moveOn(tokens.refresh_token)).access_token).toMatch(/^adj_at_/);
});

test("a code that comes back within its day ends the grant, also after the sweeper came by", async () => {
  const user = await mintUser(ctx);
  const code = await mintCode(ctx, app, { user });
  const { access_token } = (await (
    await postToken(ctx, app, redemption(app, code))
  ).json()) as TokenReply;
  clock.advance(50 * minute);
  await sweepAll(ctx);
  expect(await errorOf(await postToken(ctx, app, redemption(app, code)))).toBe("invalid_grant");
  expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
});

test("a code that nobody redeemed goes with its grant", async () => {
  const user = await mintUser(ctx);
  await mintCode(ctx, app, { user });
  clock.advance(day + 2 * minute);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ ...nothing, consents: 1 });
});

test("RF-06: a replaced refresh token that comes back ends its grant however old it is, also after the sweeper came by", async () => {
  const { user, tokens } = await chain();
  let { refresh_token: newest } = await moveOn(tokens.refresh_token);
  for (let month = 0; month < 3; month++) {
    clock.advance(29 * day);
    await sweepAll(ctx);
    newest = (await moveOn(newest)).refresh_token;
  }
  const { access_token } = await moveOn(newest);
  clock.advance(minute);
  await sweepAll(ctx);
  expect((await stored(user)).refresh).toBe(6);

  expect(await errorOf(await refresh(ctx, app, tokens.refresh_token))).toBe("invalid_grant");
  expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
  expect((await listOwnNotices(ctx, user)).map(({ kind }) => kind)).toContain("refresh-reused");
  clock.advance(day + 2 * 3_600);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ ...nothing, consents: 1 });
});

test("a chain that was not continued in time goes as a whole; the consent is remembered", async () => {
  const { user, tokens } = await chain();
  await moveOn((await moveOn(tokens.refresh_token)).refresh_token);
  clock.advance(30 * day - minute);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ ...nothing, consents: 1, grants: 1, refresh: 3 });
  clock.advance(7 * minute);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ ...nothing, consents: 1 });
  expect(await listConsents(ctx, user)).toHaveLength(1);
});

test("a paused grant keeps its tokens: it may go on", async () => {
  const { user } = await chain();
  await on
    .update(consents)
    .set({ pausedAt: clock.now() })
    .where(eq(consents.accountId, user.accountId));
  clock.advance(2 * day);
  await sweepAll(ctx);
  expect(await stored(user)).toMatchObject({ grants: 1, refresh: 1 });
});

test("a revoked consent stays readable for 90 days, what hung below it does not", async () => {
  const { user } = await chain();
  const [consent] = await listConsents(ctx, user);
  await revokeConsents(ctx, user, { consentIds: [consent?.consentId ?? ""] });
  clock.advance(day + 62 * minute);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ ...nothing, consents: 1 });
  clock.advance(88 * day);
  await sweepAll(ctx);
  expect(await stored(user)).toMatchObject({ consents: 1 });
  clock.advance(2 * day);
  await sweepAll(ctx);
  expect(await stored(user)).toEqual({ ...nothing, consents: 0 });
});

test("the sealed reply of a refresh is wiped when its window is over, and not before", async () => {
  const { user, tokens } = await chain();
  const next = await moveOn(tokens.refresh_token);
  const sealed = async () =>
    (await on.select().from(refreshTokens)).filter((row) => row.sealedReply !== null).length;
  clock.advance(30);
  await sweepAll(ctx);
  expect(await sealed()).toBe(1);
  expect(await moveOn(tokens.refresh_token)).toMatchObject({ refresh_token: next.refresh_token });
  clock.advance(1);
  await sweepAll(ctx);
  expect(await sealed()).toBe(0);
  expect((await stored(user)).refresh).toBe(2);
});

test("an access token shorter-lived than the reuse window is still there for the reply that is repeated", async () => {
  const { settings } = ctx;
  const brief = {
    ...ctx,
    settings: { ...settings, lifetimes: { ...settings.lifetimes, access: 1 } },
  };
  const { tokens } = await chain();
  const next = (await (await refresh(brief, app, tokens.refresh_token)).json()) as TokenReply;
  clock.advance(20);
  await sweepAll(brief);
  expect(await (await refresh(brief, app, tokens.refresh_token)).json()).toMatchObject({
    access_token: next.access_token,
  });
});

test("authorization requests are kept for a day after their end", async () => {
  await on.delete(authorizationRequests);
  await mintCode(ctx, app, { user: await mintUser(ctx) });
  const pending = async () => (await on.select().from(authorizationRequests)).length;
  clock.advance(day);
  await sweepAll(ctx);
  expect(await pending()).toBe(1);
  clock.advance(11 * minute);
  await sweepAll(ctx);
  expect(await pending()).toBe(0);
});
