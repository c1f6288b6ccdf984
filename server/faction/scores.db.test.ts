import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { factions, players } from "#db/schema/players";
import { statEntries, statLatest } from "#db/schema/stats";
import type { PortalUser } from "#server/actor";
import { findOwnScore } from "#server/stats/entries/store";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { listOwnNotices } from "#server/testing/own-notices";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer, mintUser, sentFrom } from "#server/testing/world";
import { askForSharingChoice, changeStatSharing, importScores, showScoreSharing } from "./scores";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const { query } = database;
const origin = { requestId: "request-of-a-test", address: null };

const head = "id,strength,defense,speed,dexterity,timestamp";
const seen = (daysAgo: number) => Math.floor(clock.now().getTime() / 1_000) - daysAgo * 86_400;
const csv = (...lines: string[]) => [head, ...lines].join("\n");
const bring = (user: PortalUser, text: string) =>
  importScores(ctx, sentFrom(user, origin), { text });
const people: Record<"holder" | "plain" | "stranger" | "nobody", PortalUser> = {} as never;

beforeEach(async () => {
  for (const table of [statEntries, statLatest]) await query.delete(table);
  clock.advance(60);
  const own = (await mintFaction(ctx, { name: "Lanternwatch" })).id;
  const other = (await mintFaction(ctx)).id;
  people.holder = await mintUser(ctx, {
    factionId: own,
    positionName: "Leader",
    factionApiAccess: true,
  });
  people.plain = await mintUser(ctx, { factionId: own, positionName: "Member" });
  people.stranger = await mintUser(ctx, {
    factionId: other,
    positionName: "Leader",
    factionApiAccess: true,
  });
  people.nobody = await mintUser(ctx, { factionId: null });
});
const factionOf = async ({ playerId }: PortalUser) =>
  (await query.select().from(players).where(eq(players.id, playerId)))[0]?.factionId ?? 0;

describe("an import", () => {
  test("is kept as scores, for the faction alone", async () => {
    const target = await mintPlayer(ctx);
    expect(await bring(people.holder, csv(`${target.id},100,400,900,1600,${seen(1)}`))).toEqual({
      imported: 1,
      known: 0,
    });
    const faction = await factionOf(people.holder);
    expect(await query.select().from(statEntries)).toMatchObject([
      {
        visibleTo: faction,
        playerId: target.id,
        score: 100,
        source: "import",
        contributorId: null,
        attackCode: null,
      },
    ]);
    const asMember = callAs(ctx, { playerId: people.plain.playerId });
    const asStranger = callAs(ctx, { playerId: people.stranger.playerId });
    expect((await asMember(`/user/${target.id}/stat`)).json).toMatchObject({
      stat_score: 100,
      min: 2_500,
      max: 3_636,
    });
    expect((await asStranger(`/user/${target.id}/stat`)).json).toMatchObject({ code: 1605 });
  });

  test("gives members without a key a score of their own", async () => {
    const { playerId } = people.plain;
    await bring(people.holder, csv(`${playerId},100,400,900,1600,${seen(1)}`));
    const factionId = await factionOf(people.plain);
    expect(await findOwnScore(query, { playerId, factionId })).toMatchObject({ score: 100 });
    expect(
      await findOwnScore(query, { playerId, factionId: await factionOf(people.stranger) }),
    ).toBeUndefined();
    expect(await findOwnScore(query, { playerId, factionId: null })).toBeUndefined();
  });

  test("counts once, and only what is newer", async () => {
    const target = await mintPlayer(ctx);
    await bring(people.holder, csv(`${target.id},100,400,900,1600,${seen(3)}`));
    const again = csv(
      `${target.id},100,400,900,1600,${seen(3)}`,
      `${target.id},4,4,4,4,${seen(9)}`,
      `1,1,1,1,1,${seen(9)}`,
    );
    expect(await bring(people.holder, again)).toEqual({ imported: 1, known: 2 });
    expect(await bring(people.holder, csv(`${target.id},4,4,4,4,${seen(1)}`))).toEqual({
      imported: 1,
      known: 0,
    });
    const own = (await query.select().from(statLatest)).filter(
      ({ playerId }) => playerId === target.id,
    );
    expect(own).toMatchObject([{ score: 8 }]);
  });

  test("is taken whole, or with its faults named not at all", async () => {
    const answer = await bring(people.holder, csv(`1,1,1,1,1,${seen(1)}`, `2,1,1,,1,${seen(1)}`));
    expect(answer).toEqual({ faults: [{ line: 3, message: "speed is missing" }] });
    expect(await query.$count(statEntries)).toBe(0);
  });

  test("of thousands of rows is kept whole", async () => {
    const lines = Array.from(
      { length: 1_200 },
      (_, index) => `${index + 1},100,100,100,100,${seen(1)}`,
    );
    expect(await bring(people.holder, csv(...lines))).toEqual({ imported: 1_200, known: 0 });
    expect(await query.$count(statLatest)).toBe(1_200);
  });

  test("is written in the audit log, without what it says", async () => {
    await bring(people.holder, csv(`1,100,400,900,1600,${seen(1)}`));
    const events = await query
      .select()
      .from(auditLog)
      .where(eq(auditLog.accountId, people.holder.accountId));
    const faction = await factionOf(people.holder);
    expect(events).toMatchObject([
      { act: "scores.imported", details: { faction, rows: 1, imported: 1 } },
    ]);
  });

  test("more often than ten times a minute waits", async () => {
    for (let turn = 0; turn < 10; turn++) await bring(people.holder, "x");
    await expect(bring(people.holder, "x")).rejects.toMatchObject({ kind: { code: 4000 } });
  });
});

describe("who may not", () => {
  test.each([
    { who: "plain", code: 4007 },
    { who: "nobody", code: 1102 },
  ] as const)("$who is refused with $code, and nothing is written", async ({ who, code }) => {
    const user = people[who];
    await expect(bring(user, csv(`1,1,1,1,1,${seen(1)}`))).rejects.toMatchObject({
      kind: { code },
    });
    await expect(
      changeStatSharing(ctx, sentFrom(user, origin), { sharing: "off" }),
    ).rejects.toMatchObject({
      kind: { code },
    });
    expect(await query.$count(statEntries)).toBe(0);
    expect(await query.$count(auditLog, eq(auditLog.accountId, user.accountId))).toBe(0);
  });

  test("who changes faction loses the old one at once", async () => {
    await query
      .update(players)
      .set({
        factionId: await factionOf(people.stranger),
        factionApiAccess: false,
        positionName: "Member",
      })
      .where(eq(players.id, people.holder.playerId));
    await expect(bring(people.holder, csv(`1,1,1,1,1,${seen(1)}`))).rejects.toMatchObject({
      kind: { code: 4007 },
    });
  });
});

test("who sees the faction's fights is changed once, and shown to every member", async () => {
  const unchosen = { sharing: "faction", chosen: null, mayChange: false };
  expect(await showScoreSharing(ctx, people.plain)).toMatchObject(unchosen);
  await changeStatSharing(ctx, sentFrom(people.holder, origin), { sharing: "faction" });
  await changeStatSharing(ctx, sentFrom(people.holder, origin), { sharing: "faction" });
  expect(await showScoreSharing(ctx, people.plain)).toMatchObject({
    factionName: "Lanternwatch",
    sharing: "faction",
    chosen: clock.now(),
  });
  expect(await showScoreSharing(ctx, people.holder)).toMatchObject({
    mayChange: true,
    own: { players: 0, newest: null },
  });
  expect(await showScoreSharing(ctx, people.nobody)).toBeNull();
  const events = await query
    .select()
    .from(auditLog)
    .where(eq(auditLog.accountId, people.holder.accountId));
  expect(events).toMatchObject([
    { act: "score_sharing.changed", details: { sharing: { from: null, to: "faction" } } },
  ]);
  const [other] = await query
    .select()
    .from(factions)
    .where(eq(factions.id, await factionOf(people.stranger)));
  expect(other).toMatchObject({ statSharing: "faction", statSharingChosen: null });
});

describe("who may choose is asked", () => {
  const asked = (user: PortalUser) => listOwnNotices(ctx, user);
  const ask = async (user: PortalUser) =>
    askForSharingChoice(ctx, await factionOf(user), user.playerId);

  test("once each, as long as nobody chose", async () => {
    const officer = await mintUser(ctx, {
      factionId: await factionOf(people.holder),
      factionApiAccess: true,
    });
    for (const user of [people.holder, people.holder, people.plain, people.nobody, officer])
      await ask(user);
    await Promise.all([ask(officer), ask(people.holder)]);
    expect(await asked(people.holder)).toMatchObject([
      { kind: "stat-sharing-unchosen", path: "/faction/stats" },
    ]);
    expect(await asked(officer)).toHaveLength(1);
    expect([...(await asked(people.plain)), ...(await asked(people.nobody))]).toEqual([]);
  });

  test("not once somebody chose", async () => {
    await changeStatSharing(ctx, sentFrom(people.holder, origin), { sharing: "everybody" });
    await ask(people.holder);
    expect(await asked(people.holder)).toEqual([]);
  });

  test("not for a faction that they have left", async () => {
    await askForSharingChoice(ctx, await factionOf(people.stranger), people.holder.playerId);
    expect(await asked(people.holder)).toEqual([]);
  });

  test("and a leader may choose without faction API access of their key", async () => {
    const leader = await mintUser(ctx, {
      factionId: await factionOf(people.holder),
      positionName: "Leader",
    });
    await changeStatSharing(ctx, sentFrom(leader, origin), { sharing: "everybody" });
    expect(await showScoreSharing(ctx, people.plain)).toMatchObject({
      sharing: "everybody",
      chosen: clock.now(),
    });
  });
});
