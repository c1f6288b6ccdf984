import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { webhookDeliveries } from "#db/schema/webhooks";
import { testDatabase } from "#server/testing/database";
import { hookDeliveries, hookSettings, mintHooks } from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";
import type { ReplayInput } from "./contract";
import { insertAttempts } from "./delivery-store";
import { fanOut } from "./fan-out";
import { mostReplayed, replay } from "./replay";

const world = await testContext({ database: await testDatabase(), settings: hookSettings });
const { ctx, clock } = world;
const { receiver } = await hookDeliveries(world);

/** Repeats until nothing is left. @returns queued and left numbers of each replay */
async function replayAll(
  hooks: Awaited<ReturnType<typeof mintHooks>>,
  which: Exclude<ReplayInput, { messageId: string }>,
) {
  const steps: [queued: number, left: number][] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const input = { ...hooks.key, which: { ...which, ...(next && { after: next }) } };
    const done = await replay(ctx, hooks.owner, input);
    expect(done.left.more).toBe(false);
    steps.push([done.queued, done.left.count]);
    next = done.next;
  }
  return steps;
}

const queued = async (endpointId: string) => {
  const { messageId, seq } = webhookDeliveries;
  const own = eq(webhookDeliveries.endpointId, endpointId);
  return ctx.database.query.select({ messageId, seq }).from(webhookDeliveries).where(own);
};

test("a range that is too long for one replay goes on where it ended: each message once, no event divided, none left out", async () => {
  const hooks = await mintHooks(world, receiver);
  for (let n = 0; n < 3; n++) await hooks.member();
  clock.advance(1);
  const from = clock.now();
  await hooks.hits(...Array.from({ length: 700 }, (_, n) => `hit ${n}`));
  const until = new Date(clock.now().getTime() + 1_000);
  // As if all of them had been delivered.
  await fanOut(ctx);
  await ctx.database.query.delete(webhookDeliveries);
  // Each event goes to three players: a thousand messages are 333 events and a third of one.
  expect(await replayAll(hooks, { from, until })).toEqual([
    [1_002, 1_098],
    [1_002, 96],
    [96, 0],
  ]);
  const rows = await queued(hooks.key.endpointId);
  expect(rows).toHaveLength(2_100);
  expect(new Set(rows.map((row) => row.seq)).size).toBe(700);
});

test("failures that are too many for one replay go on in the same way; a cursor of somewhere else is refused", async () => {
  const hooks = await mintHooks(world, receiver);
  const { id: endpointId } = await hooks.row();
  const failedSince = clock.now();
  const failed = Array.from({ length: 2_500 }, (_, n) => ({
    ...{
      endpointId,
      messageId: `evt_${n}`,
      seq: 1 + Math.floor(n / 2),
      playerId: 1,
      type: "stocks.tick",
    },
    ...{ attempt: 10, at: failedSince, outcome: "exhausted" as const, nextAt: null },
  }));
  await insertAttempts(ctx.database.query, failed);
  expect(await replayAll(hooks, { failedSince })).toEqual([
    [1_000, 1_500],
    [1_000, 500],
    [500, 0],
  ]);
  const { next } = await replay(ctx, hooks.owner, { ...hooks.key, which: { failedSince } });
  const other = await mintHooks(world, receiver);
  const foreign = { ...other.key, which: { failedSince, after: next ?? "" } };
  await expect(replay(ctx, other.owner, foreign)).rejects.toThrow("This replay cannot go on");
  expect(mostReplayed).toBe(1_000);
});
