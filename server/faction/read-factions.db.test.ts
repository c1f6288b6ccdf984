import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys } from "#db/schema/accounts";
import { factions, players } from "#db/schema/players";
import { chargeCall } from "#server/game/budget";
import { gameCallError } from "#server/game/game-call-error";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { callGame } from "#server/users/keys/call-game";
import { type SyncTask, syncDueFactions } from "./read-factions";
import { refreshFactionMembers } from "./refresh-members";
import type { SyncCredentials } from "./sync-schedules";
import { noteSyncAttempt } from "./sync-store";

const database = await testDatabase();
const on = database.query;
const { ctx, clock } = await testContext({ database });
const ours = 7001;
const officer = await enrol(ctx, "developer");
const banker = await enrol(ctx, "banker");
await enrol(ctx, "member");
await refreshFactionMembers(ctx, ours, { key: officer.openKey, priority: "high" });
const withAccess = [officer.playerId, banker.playerId].sort();

let used: number[] = [];
const queue = (
  read: (credentials: SyncCredentials) => Promise<void> = async () => {},
): SyncTask => ({
  sync: "crimes",
  priority: "background",
  read: async (inside, factionId, credentials) => {
    used.push(credentials.key.playerId);
    await noteSyncAttempt(on, factionId, { sync: "crimes", at: inside.now() });
    await read(credentials);
    return { things: 2 };
  },
});
const work = (budget = 10) => ({ budget, signal: new AbortController().signal });
const run = (of = queue(), budget = 10) => syncDueFactions(ctx, work(budget), of);
const setKey = (playerId: number, change: Partial<typeof gameKeys.$inferInsert>) =>
  on.update(gameKeys).set(change).where(eq(gameKeys.playerId, playerId));

beforeEach(async () => {
  clock.advance(301);
  used = [];
  await on.update(gameKeys).set({ state: "active" });
  await on.update(players).set({ factionApiAccess: true }).where(eq(players.id, officer.playerId));
});

test("private data is read with the key of a member who may read it, and nobody else's", async () => {
  expect(await run()).toEqual({ factions: 1, things: 2, failed: 0, skipped: 0 });
  expect(withAccess).toContain(used[0]);
});

test.each(["paused", "disabled", "dead"] as const)(
  "a %s key is never used (game 7.13)",
  async (state) => {
    await setKey(officer.playerId, { state });
    await setKey(banker.playerId, { state });
    expect(await run()).toEqual({ failed: 0, skipped: 0 });
    await setKey(banker.playerId, { state: "active" });
    expect(await run()).toMatchObject({ factions: 1 });
    expect(used).toEqual([banker.playerId]);
  },
);

test("nor is the key of a banned account, or of somebody who is not in the faction any more", async () => {
  await setKey(banker.playerId, { state: "paused" });
  await on
    .update(accounts)
    .set({ bannedAt: clock.now() })
    .where(eq(accounts.id, officer.accountId));
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  await on.update(accounts).set({ bannedAt: null });
  await on.update(players).set({ factionId: 7002 }).where(eq(players.id, officer.playerId));
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  await on.update(players).set({ factionId: ours }).where(eq(players.id, officer.playerId));
});

test("a faction whose keys no server secret opens takes no place in the queue", async () => {
  const stored = await on.select().from(gameKeys);
  await on.update(gameKeys).set({ sealed: "of-a-lost-secret.sealed" });
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  for (const { id, sealed } of stored)
    await on.update(gameKeys).set({ sealed }).where(eq(gameKeys.id, id));
  expect(await run()).toMatchObject({ factions: 1 });
});

test("where the game refuses one member's key the next member's is used at once, however little it has left", async () => {
  const refuseFirst = queue(async ({ key, priority }) => {
    if (used.length > 1) return;
    const other = key.playerId === officer.playerId ? banker.playerId : officer.playerId;
    for (let call = 0; call < 10; call++) await chargeCall(ctx, other, "user");
    const refused = gameCallError({
      kind: "private-selection",
      gameCode: 7,
      selection: "faction/crimes",
      detail: "in a test",
    });
    await callGame(ctx, { key, priority, call: () => Promise.reject(refused) });
  });
  expect(await run(refuseFirst)).toMatchObject({ factions: 1, failed: 0 });
  expect([...used].sort()).toEqual(withAccess);
});

test("one faction that fails is counted, and is not the first in the queue again", async () => {
  const broken = queue(async () => {
    throw gameCallError({ kind: "unexpected-answer", detail: "in a test" });
  });
  await on.update(players).set({ factionApiAccess: true }).where(eq(players.id, banker.playerId));
  expect(await run(broken)).toMatchObject({ failed: 1 });
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  clock.advance(301);
  expect(await run()).toMatchObject({ factions: 1 });
});

test("an outage of the game ends the run with an error, and nothing is caught up in a burst afterwards", async () => {
  const away = queue(async () => {
    throw gameCallError({ kind: "server-side", detail: "in a test" });
  });
  await expect(run(away)).rejects.toMatchObject({ kind: "server-side" });
  clock.advance(3_600);
  used = [];
  await run();
  expect(used).toHaveLength(1);
});

test("a run that may make no call makes none", async () => {
  expect(await run(queue(), 0)).toEqual({ failed: 0, skipped: 0 });
  const [faction] = await on.select().from(factions).where(eq(factions.id, ours));
  expect(faction?.crimesAttempt?.getTime()).toBeLessThan(clock.now().getTime());
});
