import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { authorizationCodes, consents, refreshTokens } from "#db/schema/oauth";
import {
  authorizationQuery,
  mintApplication,
  mintCode,
  mintTokens,
  mintVisitor,
  postToken,
  redemption,
  refresh,
  requestIdOf,
  unthrottled,
} from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { decideRequest } from "../authorize/decide-request";
import { isAuthorizationFailure } from "../authorize/pending-authorization";
import type { TokenReply } from "./authorization-code";

const { here, there } = await twoInstances({ rates: unthrottled });
const { ctx, clock } = here;
const owner = await mintUser(ctx);
const user = await mintUser(ctx);
const app = await mintApplication(ctx, owner);

const instance = (index: number) => (index % 2 === 0 ? ctx : there.ctx);
const times = <Result>(count: number, act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
const bodies = (responses: Response[]) => Promise.all(responses.map((response) => response.json()));

test.each([2, 50, 1_000])(
  "TK-31: of %i parallel redemptions one succeeds, and its tokens live",
  async (count) => {
    const fields = redemption(app, await mintCode(ctx, app, { user }));
    const responses = await times(count, (index) => postToken(instance(index), app, fields));
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = await bodies(responses.filter(({ status }) => status === 400));
    expect(lost.map((body) => (body as { error: string }).error)).toEqual(
      Array(count - 1).fill("invalid_grant"),
    );
    const [reply] = (await bodies(won)) as TokenReply[];
    expect(await ctx.tokens.authenticate(reply?.access_token ?? "")).toBeDefined();
    expect((await refresh(ctx, app, reply?.refresh_token ?? "")).status).toBe(200);
  },
);

test.each([2, 50])(
  "RF-07: %i parallel refreshes all get the same pair, and there is one chain",
  async (count) => {
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const responses = await times(count, (index) =>
      refresh(instance(index), app, tokens.refresh_token ?? ""),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(count).fill(200));
    const replies = (await bodies(responses)) as TokenReply[];
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await ctx.tokens.authenticate(replies[0]?.access_token ?? "")).toBeDefined();
    const grant = await ctx.tokens.authenticate(replies[0]?.access_token ?? "");
    const rows = await ctx.database.query
      .select()
      .from(refreshTokens)
      .where(eq(refreshTokens.grantId, grant?.actor.grantId ?? ""));
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ consumedAt }) => consumedAt === null)).toHaveLength(1);
  },
);

test("a chain of refreshes in a race never forks", async () => {
  let tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  for (let step = 0; step < 10; step++) {
    clock.advance(1);
    const replies = await bodies(
      await times(4, (index) => refresh(instance(index), app, tokens.refresh_token ?? "")),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    const before = tokens.access_token;
    tokens = replies[0] as TokenReply;
    expect(await ctx.tokens.authenticate(before)).toBeUndefined();
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
  }
});

test("theft that is noticed twice at once is told once", async () => {
  const victim = await mintUser(ctx);
  const tokens = await mintTokens(ctx, app, { user: victim });
  await refresh(ctx, app, tokens.refresh_token ?? "");
  clock.advance(31);
  const responses = await times(10, (index) =>
    refresh(instance(index), app, tokens.refresh_token ?? ""),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(400));
  expect(await listOwnNotices(ctx, victim)).toHaveLength(1);
});

test("AZ-41: a request that is approved many times at once yields one code", async () => {
  const { user: decider, browser } = await mintVisitor(ctx);
  const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
  const { browserId } = browser;
  const outcomes = await times(10, (index) =>
    decideRequest(instance(index), decider, {
      requestId,
      browserId,
      decision: "approve",
    }).catch((thrown: unknown) => thrown),
  );
  expect(outcomes.filter((outcome) => isAuthorizationFailure(outcome))).toEqual([]);
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  const rows = await ctx.database.query
    .select()
    .from(consents)
    .where(eq(consents.accountId, decider.accountId));
  expect(rows).toHaveLength(1);
});

test("two first approvals at once leave one live consent", async () => {
  const decider = await mintUser(ctx);
  const before = await ctx.database.query.$count(authorizationCodes);
  const codes = await times(8, (index) => mintCode(instance(index), app, { user: decider }));
  expect(new Set(codes).size).toBe(8);
  expect(await ctx.database.query.$count(authorizationCodes)).toBe(before + 8);
  const rows = await ctx.database.query
    .select()
    .from(consents)
    .where(eq(consents.accountId, decider.accountId));
  expect(rows).toHaveLength(1);
});
