import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { chatMessages } from "#db/schema/chat";
import { eventInbox, events } from "#db/schema/events";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import { bankingWorld, lanternwatch } from "#server/testing/banking-world";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import {
  cancelRequest,
  claimRequest,
  expireDueRequests,
  fulfilRequest,
  releaseClaim,
} from "./request-acts";
import { showBanking, showForFulfilment } from "./show-banking";

const url = await testPostgresUrl();
const databases = Array.from({ length: 2 }, () => openPostgres({ url, deadline: patientDeadline }));
const [one, other] = databases;
if (!one || !other) throw new Error("No database was opened.");
const world = await bankingWorld(one);
const { clock, people, ask } = world;
const { banker, developer, member } = people;
/** Two instances of the service on one database. */
const instances = [world.ctx, (await testContext({ database: other, beside: world })).ctx] as const;
const on = one.query;
await world.place("developer", { positionName: "Banker" });
afterAll(async () => {
  await Promise.all(instances.map((ctx) => ctx.settled()));
  await Promise.all(databases.map((database) => database.close()));
});

beforeEach(async () => {
  await on.delete(vaultRequests);
  world.nextMinute();
});

const claimBy = (who: typeof banker, request: string, at = 0) =>
  claimRequest(instances[at % 2] ?? world.ctx, who, { request });

test("of two bankers that claim a request at once one wins, and the other reads the winner's name, over and over", async () => {
  for (let round = 0; round < 20; round++) {
    world.nextMinute();
    const { guid } = await ask({ amount: 1 });
    const claims = await Promise.all([
      claimBy(banker, guid, round),
      claimBy(developer, guid, round + 1),
    ]);
    const [winner] = claims[0].claimed ? [banker, developer] : [developer, banker];
    expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1);
    expect(claims.map(({ request }) => request.claimedBy)).toEqual([
      winner.playerId,
      winner.playerId,
    ]);
    for (const ctx of instances) {
      const { request } = await showForFulfilment(ctx, banker, guid);
      expect(request.claim?.by.playerId).toBe(winner.playerId);
    }
  }
}, 30_000);

test("a claim ends after five minutes, and hinders no other banker then", async () => {
  const { guid } = await ask();
  await claimBy(banker, guid);
  clock.advance(299);
  expect((await claimBy(developer, guid)).claimed).toBe(false);
  clock.advance(1);
  const { request } = await showForFulfilment(world.ctx, member, guid);
  expect(request.claim).toBeNull();
  expect(await claimBy(developer, guid)).toMatchObject({
    claimed: true,
    request: { claimedBy: developer.playerId },
  });
});

test("the end of a claim is announced once, and the card no longer names its banker", async () => {
  const { guid, id } = await ask();
  await claimBy(banker, guid);
  const card = async () => {
    const [row] = await on
      .select()
      .from(chatMessages)
      .where(eq(chatMessages.subject, `vault-request:${id}`));
    return JSON.stringify(row?.message);
  };
  const ends = () =>
    Promise.all(instances.map((ctx) => expireDueRequests(ctx, new AbortController().signal)));
  expect(await card()).toContain("By Bruno_Vault [1002] until");
  clock.advance(299);
  expect((await ends()).map(({ released }) => released)).toEqual([0, 0]);
  clock.advance(1);
  expect((await ends()).reduce((sum, { released }) => sum + released, 0)).toBe(1);
  expect(await card()).not.toContain("Bruno_Vault");
  expect(await card()).toContain('"mentions":["');
  // The inbox first: an event that is numbered meanwhile is in both answers, and in neither otherwise.
  const happened = [...(await on.select().from(eventInbox)), ...(await on.select().from(events))];
  const told = [...new Map(happened.map((event) => [event.id, event])).values()]
    .sort((one, other) => one.revision - other.revision)
    .filter(({ type, subject }) => type === "vault_request.claimed" && subject === String(id))
    .map(({ data }) => data);
  expect(told).toEqual([{ claimed: true }, { claimed: false }]);
});

test("its holder may extend a claim or release it; the release of another banker changes nothing", async () => {
  const { guid } = await ask();
  await claimBy(banker, guid);
  clock.advance(200);
  expect((await claimBy(banker, guid)).claimed).toBe(true);
  clock.advance(200);
  await releaseClaim(world.ctx, developer, { request: guid });
  expect((await claimBy(developer, guid)).claimed).toBe(false);
  await releaseClaim(world.ctx, banker, { request: guid });
  const acts = await on.select({ act: auditLog.act, actor: auditLog.actor }).from(auditLog);
  for (const act of ["vault_request.claimed", "vault_request.released"])
    expect(acts).toContainEqual({ act, actor: `account:${banker.accountId}` });
  expect((await claimBy(developer, guid)).claimed).toBe(true);
});

test("a claim prevents no payment and no cancellation, by whomever, and a closed request cannot be claimed", async () => {
  const [paid, cancelled] = [await ask(), await ask()];
  await claimBy(banker, paid.guid);
  await claimBy(banker, cancelled.guid);
  const closed = await fulfilRequest(world.ctx, developer, { request: paid.guid });
  expect(closed).toMatchObject({ status: "fulfilled", closedBy: developer.playerId });
  await cancelRequest(world.ctx, member, { factionId: lanternwatch, request: cancelled.guid });
  for (const { guid } of [paid, cancelled])
    await expect(claimBy(banker, guid)).rejects.toMatchObject({ kind: { code: 1601 } });
});

test("members that may not pay a request out cannot claim it, and those of other factions do not find it", async () => {
  const { guid } = await ask();
  await expect(claimBy(member, guid)).rejects.toMatchObject({ kind: { code: 4007 } });
  await expect(claimBy(people.outsider, guid)).rejects.toMatchObject({ kind: { code: 1600 } });
});

test("the next request is the oldest that the banker may pay and no other banker is paying", async () => {
  const [first, second, points] = [
    await ask({ amount: 1 }),
    await ask({ amount: 2 }),
    await ask({ amount: 3, currency: "points_balance" }),
  ];
  const next = async (guid: string) =>
    (await showForFulfilment(world.ctx, banker, guid)).next?.id ?? null;
  expect(await next(points.guid)).toBe(first.id);
  await claimBy(developer, first.guid);
  expect(await next(points.guid)).toBe(second.id);
  expect(await next(second.guid)).toBe(points.id);
  await world.position(lanternwatch, "Banker", ["Money Giving", "Faction API Access"]);
  expect(await next(second.guid)).toBeNull();
  await world.position(lanternwatch, "Banker", [
    ...["Money Giving", "Points Giving", "Faction API Access"],
  ]);
  const page = await showBanking(world.ctx, banker);
  expect(page?.queue).toMatchObject({
    waiting: 3,
    totals: { money_balance: 3, points_balance: 3 },
  });
});
