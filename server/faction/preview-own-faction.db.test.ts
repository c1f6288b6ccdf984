import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { organizedCrimeDelays, retaliations } from "#db/schema/faction";
import { factions } from "#db/schema/players";
import type { PortalUser } from "#server/actor";
import { bankingWorld, copperTide, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { fulfilRequest } from "./banking/request-acts";
import { previewOwnFaction } from "./preview-own-faction";

const { ctx, clock, people, ask, simulator } = await bankingWorld(await testDatabase());
const on = ctx.database.query;

const preview = (who: PortalUser) => previewOwnFaction(ctx, who);

async function hit(code: string, faction: number, defenderId: number, attackEnded = clock.now()) {
  const names = { defenderName: "A", attackerId: 4_000_001, attackerName: "B" };
  await on
    .insert(retaliations)
    .values({ code, factionId: faction, attackEnded, defenderId, ...names });
}

const delay = (crimeId: number, factionId: number, playerId: number, reason: string) =>
  on.insert(organizedCrimeDelays).values({
    ...{
      crimeId,
      factionId,
      playerId,
      reason,
      slot: "P1",
      position: "Lookout",
      positionIndex: 1,
      seenAt: clock.now(),
    },
  });

beforeEach(async () => {
  await on.delete(retaliations);
  await on.delete(organizedCrimeDelays);
  clock.advance(3_600);
});

test("a player whose faction was never read is told of nothing", async () => {
  await on
    .update(factions)
    .set({ attacksAttempt: null, crimesAttempt: null })
    .where(eq(factions.id, lanternwatch));
  expect(await preview(people.banker)).toMatchObject({
    positionName: "Banker",
    attacks: { hasKey: true, open: { count: 0, more: false }, readAt: null },
    banking: { link: "ready", pending: { count: 0 }, last: null },
    crimes: { delays: { count: 0 }, newest: null, readAt: null },
  });
});

test("a player sees what is open in the own faction, and nothing of another's", async () => {
  const at = clock.now();
  await on
    .update(factions)
    .set({ attacksAttempt: at, crimesAttempt: at })
    .where(eq(factions.id, lanternwatch));
  await hit("ours", lanternwatch, people.member.playerId);
  await hit("late", lanternwatch, people.member.playerId, new Date(at.getTime() - 301_000));
  await hit("theirs", copperTide, people.outsider.playerId);
  await delay(7, lanternwatch, people.member.playerId, "In hospital");
  await delay(9, lanternwatch, people.banker.playerId, "Travelling");
  await delay(11, copperTide, people.outsider.playerId, "In jail");
  expect(await preview(people.member)).toMatchObject({
    attacks: { open: { count: 1 }, readAt: at },
    crimes: {
      delays: { count: 2 },
      newest: { position: "Lookout", reason: "Travelling" },
      readAt: at,
    },
  });
});

test("of the vault a player sees the own requests alone, as they stand at the moment", async () => {
  const paid = await ask();
  await fulfilRequest(ctx, people.banker, { request: paid.guid });
  await ask({}, "banker");
  expect((await preview(people.member))?.banking).toMatchObject({
    pending: { count: 0 },
    last: { amount: 1_000, status: "fulfilled" },
  });
  clock.advance(1);
  await ask();
  expect((await preview(people.member))?.banking).toMatchObject({
    pending: { count: 1 },
    last: { status: "pending" },
  });
});

test("a player without a faction has no such preview, and the game is not asked for any of them", async () => {
  simulator.control.addFault({ http: 500 });
  expect(await preview(people.loner)).toBeNull();
  expect(await preview(people.member)).not.toBeNull();
});

test("a player is told where no key may read the faction and where its vault takes no requests", async () => {
  expect(await preview(people.outsider)).toMatchObject({
    attacks: { hasKey: false },
    crimes: { hasKey: false },
    banking: { link: "no-server" },
  });
});
