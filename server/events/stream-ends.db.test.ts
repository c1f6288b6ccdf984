import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { factionPositions } from "#db/schema/faction";
import { players } from "#db/schema/players";
import { banAccount } from "#server/admin/accounts";
import { resumeApplication, suspendApplication } from "#server/admin/applications";
import { recordEvents } from "#server/event-log/record-events";
import { vaultRequestCreated } from "#server/faction/events";
import { narrowConsent, pauseConsent, revokeConsents } from "#server/oauth/consents/consent-acts";
import { testDatabase } from "#server/testing/database";
import { eventsIn, untilTold } from "#server/testing/event-reader";
import { streamWorld } from "#server/testing/event-world";
import { livedTime } from "#server/testing/lived-time";
import { mintApplication, refresh, revokeToken } from "#server/testing/oauth-world";
import { mintUser } from "#server/testing/world";

const database = await testDatabase();
const { ctx, clock, app, owner, member, hit, listed, open } = await streamWorld(database);
const admin = { ...(await mintUser(ctx)), admin: true };

const ends: [string, string, (of: Awaited<ReturnType<typeof member>>) => Promise<unknown>][] = [
  [
    "its consent ends",
    "revoked",
    ({ user, consentId }) => revokeConsents(ctx, user, { consentIds: [consentId] }),
  ],
  [
    "the player pauses it",
    "paused",
    ({ user, consentId }) => pauseConsent(ctx, user, { consentId }),
  ],
  [
    "its grant is revoked by the application",
    "revoked",
    ({ refresh: token = "" }) => revokeToken(ctx, app, token),
  ],
  [
    "its player is banned",
    "paused",
    ({ user: { accountId } }) => banAccount(ctx, admin, { accountId, reason: "Sold data." }),
  ],
  ["its token alone is revoked", "token_expired", ({ token }) => revokeToken(ctx, app, token)],
  [
    "its token is replaced by a refresh",
    "token_expired",
    ({ refresh: token = "" }) => refresh(ctx, app, token),
  ],
];

test.each(ends)(
  "an idle stream ends within a second when %s, and says %s",
  async (_how, reason, end) => {
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
  },
);

test("all streams of an application end within a second when it is suspended, and say so; they are opened again when it is resumed", async () => {
  const own = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
  const members = [await member(undefined, own), await member(undefined, own)];
  const readers = await Promise.all(members.map(({ token }) => open(token)));
  const other = await open((await member()).token);
  await suspendApplication(ctx, admin, { clientId: own.clientId, reason: "Sold data." });
  const lived = livedTime();
  for (const reader of readers) {
    await reader.closed;
    expect(lived()).toBeLessThan(1_000);
    expect(reader.ended()).toBe("suspended");
  }
  expect((await listed(members[0]?.token ?? "")).status).toBe(403);
  await hit("while it is suspended");
  await untilTold(other, "while it is suspended");
  await resumeApplication(ctx, admin, { clientId: own.clientId });
  const again = await open(members[0]?.token ?? "", {
    headers: { "last-event-id": readers[0]?.lastId() ?? "" },
  });
  await untilTold(again, "while it is suspended");
  again.close();
  other.close();
});

const leavings: [string, (user: { playerId: number }) => Promise<unknown>][] = [
  [
    "leaves the faction",
    ({ playerId }) =>
      ctx.database.query
        .update(players)
        .set({ factionId: 7002, factionSince: clock.now() })
        .where(eq(players.id, playerId)),
  ],
  [
    "loses the position",
    ({ playerId }) =>
      ctx.database.query
        .update(players)
        .set({ positionName: "Recruit", positionSince: clock.now() })
        .where(eq(players.id, playerId)),
  ],
];
const waiting = 2_000;

test.each(leavings)(
  "who %s while thousands of events are being told is not told the rest of them",
  async (_what, leave) => {
    const [leaving, staying] = [await member(), await member()];
    const position = {
      id: ctx.ids.uuid(),
      factionId: 7001,
      name: "Treasurer",
      isDefault: false,
      lastSeen: clock.now(),
    };
    await database.query
      .insert(factionPositions)
      .values({ ...position, abilities: ["Money Giving"] })
      .onConflictDoNothing();
    for (const { user } of [leaving, staying])
      await database.query
        .update(players)
        .set({ positionName: "Treasurer" })
        .where(eq(players.id, user.playerId));
    const first = await open(leaving.token);
    first.close();
    const after = first.lastId() ?? "";
    clock.advance(1);
    // Another member's requests, which only bankers receive.
    const requests = Array.from({ length: waiting }, (_, n) => ({
      ...{ type: vaultRequestCreated, subject: `request ${n}` },
      ...{ factionId: 7001, playerId: owner.playerId },
    }));
    await database.transaction((tx) => recordEvents(ctx, tx, requests));
    await ctx.settled();
    clock.advance(1);
    const headers = { "last-event-id": after };
    const reader = await open(leaving.token, { headers });
    await expect
      .poll(() => reader.subjects().length, { timeout: 20_000, interval: 1 })
      .toBeGreaterThan(0);
    await leave(leaving.user);
    const before = reader.subjects().length;
    const other = await open(staying.token, { headers });
    await untilTold(other, `request ${waiting - 1}`, 40_000);
    // What was read before, and what the connection holds; each read is of a hundred.
    expect(reader.subjects().length - before).toBeLessThan(500);
    expect(reader.ended()).toBeUndefined();
    reader.close();
    other.close();
  },
);

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
  const next = await open(renewed.access_token, {
    headers: { "last-event-id": reader.lastId() ?? "" },
  });
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
  await narrowConsent(ctx, user, kept);
  await hit("narrow");
  await expect
    .poll(() => eventsIn(reader.frames).map(({ event }) => event))
    .toContain("grant.narrowed");
  await expect
    .poll(async () => (await listed(token, `?after=${reader.lastId()}`)).json.events)
    .toEqual([]);
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
