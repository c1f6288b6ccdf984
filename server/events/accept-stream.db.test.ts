import { expect, test } from "vitest";
import type { TokenHolder } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { acceptEventStream } from "./event-stream";

const { ctx } = await testContext({
  database: await testDatabase(),
  eventLimits: { streams: 48, streamsOfHolder: 5 },
});

test("a stream that could not begin keeps nobody's place", async () => {
  const authenticate = async () => {
    throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  };
  const by = { accountId: "account", clientId: "client" } as TokenHolder;
  const request = new Request("http://localhost/api/v1/events", {
    headers: { authorization: "Bearer any" },
  });
  const opened = acceptEventStream(
    { ...ctx, tokens: { ...ctx.tokens, authenticate } },
    { by, request, from: { at: "newest" }, expand: false },
  );
  await expect(opened).rejects.toThrow("ECONNREFUSED");
  expect(ctx.events.feed.places.streams.size()).toBe(0);
});

test("an account holds at most an eighth of a process's streams, through however many applications", async () => {
  const player = await mintUser(ctx);
  const tokens: string[] = [];
  for (let made = 0; made < 3; made++) {
    const app = await mintApplication(ctx, player);
    tokens.push((await mintTokens(ctx, app, { user: player })).access_token);
  }
  const open = async (token: string) => {
    const held = await ctx.tokens.authenticate(token);
    if (!held) throw new Error("The token is dead.");
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request("http://localhost/api/v1/events", { headers });
    const from = { at: "newest" } as const;
    return acceptEventStream(ctx, { by: held.actor, request, from, expand: false });
  };
  const refusals: unknown[] = [];
  for (let asked = 0; asked < 9; asked++)
    await open(tokens[asked % 3] ?? "").catch((refused: unknown) => refusals.push(refused));
  expect(ctx.events.feed.places.streams.size()).toBe(6);
  expect(refusals).toHaveLength(3);
  for (const refused of refusals)
    expect(refused).toMatchObject({ details: { policy: "streams", limit: 6 }, retryAfter: 30 });
});
