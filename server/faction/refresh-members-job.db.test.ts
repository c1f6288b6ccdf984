import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { factions } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintFaction } from "#server/testing/world";
import { refreshMembersJob } from "./read-factions";
import { listMembers } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const run = () => refreshMembersJob.run(ctx, { budget: 60, signal: new AbortController().signal });
const nothing = { failed: 0, skipped: 0 };

test("factions with a key are listed at first sight and then every five minutes; others never", async () => {
  await mintFaction(ctx, { id: 7010 });
  expect(await run()).toEqual(nothing);
  const { accountId } = await enrol(ctx, "member");
  const first = await run();
  expect(first).toMatchObject({ factions: 1, failed: 0 });
  expect(await listMembers(database, 7001)).toHaveLength(first.members ?? 0);
  clock.advance(300);
  expect(await run()).toEqual(nothing);
  clock.advance(1);
  simulator.control.clearCache();
  expect(await run()).toEqual(first);
  expect(await listMembers(database, 7010)).toBeUndefined();

  await database.query
    .update(accounts)
    .set({ bannedAt: clock.now() })
    .where(eq(accounts.id, accountId));
  clock.advance(3_600);
  expect(await run()).toEqual(nothing);
});

test("a faction whose listing fails is not tried again for five minutes", async () => {
  await database.query.update(accounts).set({ bannedAt: null });
  clock.advance(3_600);
  simulator.control.clearCache();
  simulator.control.addFault({ path: "faction", malformed: true });
  expect(await run()).toEqual({ failed: 1, skipped: 0 });
  clock.advance(60);
  expect(await run()).toEqual(nothing);
  clock.advance(300);
  expect(await run()).toMatchObject({ factions: 1, failed: 0 });
  const [faction] = await database.query.select().from(factions).where(eq(factions.id, 7001));
  expect(faction?.membersRefreshed).toEqual(clock.now());
});
