import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { consents, refreshTokens } from "#db/schema/oauth";
import { testDatabase } from "#server/testing/database";
import {
  mintApplication,
  mintTokens,
  refresh,
  type TestApplication,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "./authorization-code";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const conf = await mintApplication(ctx, owner);
const other = await mintApplication(ctx, owner);

async function chain(app: TestApplication) {
  const user = await mintUser(ctx);
  const { refresh_token = "" } = await mintTokens(ctx, app, { user, scopes: ["identity"] });
  return { user, token: refresh_token };
}
const replyOf = async (response: Response) => (await response.json()) as TokenReply;
const pause = (accountId: string, pausedAt: Date | null) =>
  database.query.update(consents).set({ pausedAt }).where(eq(consents.accountId, accountId));

test("refreshes of one moment do not touch each other: what is refused burns nothing, the rest moves on", async () => {
  const [first, second, third, foreign, paused] = await Promise.all(
    [conf, conf, other, other, conf].map(chain),
  );
  if (!first || !second || !third || !foreign || !paused) throw new Error("A chain is missing.");
  await pause(paused.user.accountId, ctx.now());

  const answers = await Promise.all([
    refresh(ctx, conf, first.token),
    refresh(ctx, conf, second.token, { scope: "identity" }),
    refresh(ctx, other, third.token),
    refresh(ctx, conf, foreign.token),
    refresh(ctx, conf, paused.token),
    refresh(ctx, conf, first.token),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 200]);

  const [a, b, c, , , again] = await Promise.all(answers.map(replyOf));
  expect(again).toEqual(a);
  const holders = await Promise.all(
    [a, b, c].map((reply) => ctx.tokens.authenticate(reply?.access_token ?? "")),
  );
  expect(holders.map((holder) => holder?.actor.accountId)).toEqual(
    [first, second, third].map(({ user }) => user.accountId),
  );

  expect((await refresh(ctx, other, foreign.token)).status).toBe(200);
  await pause(paused.user.accountId, null);
  expect((await refresh(ctx, conf, paused.token)).status).toBe(200);
});

test("a refresh that is refused does not stand in the way of a sound one of the same token in the same moment", async () => {
  const { token } = await chain(conf);
  // In any order: a foreign application with the token, or the client with too many scopes.
  const [foreign, wider, sound] = await Promise.all([
    refresh(ctx, other, token),
    refresh(ctx, conf, token, { scope: "identity faction" }),
    refresh(ctx, conf, token),
  ]);
  expect([foreign.status, wider.status, sound.status]).toEqual([400, 400, 200]);
  expect(await replyOf(wider)).toMatchObject({ error: "invalid_scope" });
  const { access_token } = await replyOf(sound);
  expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
});

test("twenty chains that refresh at once all move on, each with tokens of its own", async () => {
  const chains = await Promise.all(Array.from({ length: 20 }, () => chain(conf)));
  const replies = await Promise.all(
    chains.map(async ({ token }) => replyOf(await refresh(ctx, conf, token))),
  );
  const holders = await Promise.all(
    replies.map((reply) => ctx.tokens.authenticate(reply.access_token)),
  );
  expect(holders.map((holder) => holder?.actor.accountId)).toEqual(
    chains.map(({ user }) => user.accountId),
  );
});

test("RF-06: a refresh that waited counts from the moment at which the database carried it out", async () => {
  clock.set(new Date());
  const { token } = await chain(conf);
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  const arrived = minutes(-10);
  const requestTime = () => ({ at: arrived, until: minutes(10) });
  const waited = { ...ctx, tokens: { ...ctx.tokens, requestTime } };
  expect((await refresh(waited, conf, token)).status).toBe(200);
  const [used] = await database.query
    .select({ consumedAt: refreshTokens.consumedAt })
    .from(refreshTokens)
    .where(eq(refreshTokens.hash, ctx.keyring.hmac("token", token).hash));
  expect(used?.consumedAt?.getTime()).toBeGreaterThan(minutes(-5).getTime());
});
