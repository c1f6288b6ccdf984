import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizedCrimes } from "#db/schema/faction";
import { crimeTypes, factions } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { readMembership } from "./positions/membership";
import { listPositions } from "./positions/store";
import { refreshAfterSignIn } from "./read-factions";
import { listMembers } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const row = async () =>
  (await database.query.select().from(factions).where(eq(factions.id, 7001)))[0];

test("a member without API access brings the members and the crime types, and nothing private", async () => {
  const { openKey: key } = await enrol(ctx, "member");
  await refreshAfterSignIn(ctx, { factionId: 7001, key });
  expect(await listMembers(database, 7001)).not.toHaveLength(0);
  expect(await database.query.select().from(crimeTypes)).not.toHaveLength(0);
  expect(await row()).toMatchObject({
    positionsAttempt: null,
    attacksAttempt: null,
    crimesAttempt: null,
  });
});

test("a member with API access brings positions, attacks and crimes as well, so that every page has something to show", async () => {
  const { openKey: key, playerId } = await enrol(ctx, "developer");
  await refreshAfterSignIn(ctx, { factionId: 7001, key });
  expect(await listPositions(database, 7001)).toHaveLength(6);
  expect(await readMembership(database.query, playerId)).toMatchObject({ factionApiAccess: true });
  expect(await database.query.select().from(organizedCrimes)).not.toHaveLength(0);
  expect(await row()).toMatchObject({
    positionsRefreshed: clock.now(),
    attacksAttempt: clock.now(),
    crimesAttempt: clock.now(),
  });
});

test("what was read a moment ago is not read again", async () => {
  const before = await row();
  clock.advance(20);
  const { openKey: key } = await enrol(ctx, "banker");
  await refreshAfterSignIn(ctx, { factionId: 7001, key });
  expect(await row()).toEqual(before);
});

test("a sync that the game refuses does not keep the others from being tried", async () => {
  clock.advance(3_601);
  simulator.control.clearCache();
  const { openKey: key } = await enrol(ctx, "developer");
  simulator.control.addFault({ path: "faction/attacks", code: 16 });
  await refreshAfterSignIn(ctx, { factionId: 7001, key });
  expect(await row()).toMatchObject({
    positionsRefreshed: clock.now(),
    crimesAttempt: clock.now(),
  });
});
