import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { players } from "#db/schema/players";
import { narrowConsent, pauseConsent, revokeConsent } from "#server/oauth/consents/consent-acts";
import { testDatabase } from "#server/testing/database";
import { eventsIn, untilTold } from "#server/testing/event-reader";
import { streamWorld } from "#server/testing/event-world";
import { livedTime } from "#server/testing/lived-time";
import { refresh, revokeToken, testOrigin } from "#server/testing/oauth-world";

const database = await testDatabase();
const { ctx, clock, app, member, hit, listed, open } = await streamWorld(database);

const ends: [string, string, (of: Awaited<ReturnType<typeof member>>) => Promise<unknown>][] = [
  ["its consent ends", "revoked", ({ user, consentId }) => revokeConsent(ctx, user, consentId, testOrigin)],
  ["the player pauses it", "paused", ({ user, consentId }) => pauseConsent(ctx, user, consentId, testOrigin)],
  ["its grant is revoked by the application", "revoked", ({ refresh: token = "" }) => revokeToken(ctx, app, token)],
  ["its token alone is revoked", "token_expired", ({ token }) => revokeToken(ctx, app, token)],
  ["its token is replaced by a refresh", "token_expired", ({ refresh: token = "" }) => refresh(ctx, app, token)],
];

test.each(ends)("an idle stream ends within a second when %s, and says %s", async (_how, reason, end) => {
  const of = await member();
  const reader = await open(of.token);
  const other = await open((await member()).token);
  await end(of);
  const lived = livedTime();
  await reader.closed;
  expect(lived()).toBeLessThan(1_000);
  expect(reader.ended()).toBe(reason);
  await hit("later");
  await untilTold(other, "later");
  expect(reader.text()).not.toContain("later");
  expect(other.ended()).toBeUndefined();
  other.close();
});

test("a stream ends with its token, and the same position goes on with the next one", async () => {
  const { token, refresh: renewal = "" } = await member();
  const reader = await open(token);
  await hit("first");
  await untilTold(reader, "first");
  clock.advance(ctx.settings.lifetimes.access + 1);
  await reader.closed;
  expect(reader.ended()).toBe("token_expired");
  const renewed = (await (await refresh(ctx, app, renewal)).json()) as { access_token: string };
  await hit("second");
  const next = await open(renewed.access_token, { headers: { "last-event-id": reader.lastId() ?? "" } });
  await untilTold(next, "second");
  expect(next.subjects()).toEqual(["second"]);
  next.close();
});

test("who takes a scope back is not told on from that moment, and the stream goes on", async () => {
  const { user, token, consentId } = await member();
  const reader = await open(token);
  await hit("wide");
  await untilTold(reader, "wide");
  const kept = { consentId, shown: ["identity", "faction"], keep: ["identity"] };
  clock.advance(1);
  await narrowConsent(ctx, user, kept, testOrigin);
  await hit("narrow");
  await expect.poll(() => eventsIn(reader.frames).map(({ event }) => event)).toContain("grant.narrowed");
  await expect.poll(async () => (await listed(token, `?after=${reader.lastId()}`)).json.events).toEqual([]);
  expect(reader.subjects()).not.toContain("narrow");
  expect(reader.ended()).toBeUndefined();
  reader.close();
});

test("who leaves the faction is told nothing of what happens there from then on", async () => {
  const { user, token } = await member();
  const [reader, other] = [await open(token), await open((await member()).token)];
  await hit("at home");
  await untilTold(reader, "at home");
  clock.advance(1);
  const away = { factionId: 7002, factionSince: clock.now() };
  await ctx.database.query.update(players).set(away).where(eq(players.id, user.playerId));
  await hit("away");
  await untilTold(other, "away");
  await hit("gone");
  await untilTold(other, "gone");
  expect(reader.subjects()).toEqual(["at home"]);
  reader.close();
  other.close();
});
