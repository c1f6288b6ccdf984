import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { events } from "#db/schema/events";
import { consents } from "#db/schema/oauth";
import { listConsents } from "#server/oauth/consents/list-consents";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { notifyExpiredGrantsJob } from "./end-grants";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const app = await mintApplication(ctx, await mintUser(ctx));
const run = async () => {
  const counts = await notifyExpiredGrantsJob.run(ctx, {
    budget: 0,
    signal: new AbortController().signal,
  });
  await ctx.settled();
  return counts;
};
const ends = () =>
  database.query.select().from(events).where(eq(events.type, "grant.ended")).orderBy(events.seq);

test("an application is told once of each grant whose own time, or whose consent's, is over", async () => {
  const short = await mintUser(ctx);
  await mintTokens(ctx, app, { user: short });
  const [consent] = await listConsents(ctx, short);
  if (!consent) throw new Error("The consent was not stored.");
  const until = new Date(clock.now().getTime() + 90_000);
  await database.query.update(consents).set({ until }).where(eq(consents.id, consent.consentId));
  await mintTokens(ctx, app, { user: await mintUser(ctx) });
  expect(await run()).toEqual({ expired: 0 });
  clock.advance(60);
  expect(await run()).toEqual({ expired: 0 });
  clock.advance(60);
  expect(await run()).toEqual({ expired: 1 });
  expect(await ends()).toMatchObject([
    { clientId: app.clientId, playerId: short.playerId, data: { reason: "expired" } },
  ]);
  expect(await run()).toEqual({ expired: 0 });
  clock.advance(ctx.settings.lifetimes.refreshMax);
  expect(await run()).toEqual({ expired: 1 });
  expect(await ends()).toHaveLength(2);
});
