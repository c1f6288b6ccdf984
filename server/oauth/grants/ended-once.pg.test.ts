import { eq } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { eventInbox, events } from "#db/schema/events";
import { consents, grants } from "#db/schema/oauth";
import { deleteAccount } from "#server/account/account-acts";
import { createOperator, type PortalUser } from "#server/actor";
import { banAccount } from "#server/admin/accounts";
import { expectWithin } from "#server/testing/lived-time";
import {
  authorizationQuery,
  mintApplication,
  mintTokens,
  requestIdOf,
  revokeToken,
  type TestApplication,
  TestBrowser,
  unthrottled,
} from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { decideRequest } from "../authorize/decide-request";
import { deleteApplication } from "../clients/application-acts";
import { revokeGrants } from "../clients/live-grants/live-grants";
import { pauseConsent, revokeAllConsents, revokeConsents } from "../consents/consent-acts";
import { listConsents } from "../consents/list-consents";
import { notifyExpiredGrantsJob } from "./end-grants";

const { here, there } = await twoInstances({ rates: { ...unthrottled, authorize: 100_000 } });
const { ctx, clock } = here;
const { query } = ctx.database;
const owner = await mintUser(ctx);
const rounds = 40;

const app = await mintApplication(ctx, owner);

/** Events of a type per grant, in one snapshot of inbox and log. */
async function told(type: string): Promise<Map<string, number>> {
  const subjectsIn = (table: typeof eventInbox | typeof events) =>
    query.select({ id: table.subject }).from(table).where(eq(table.type, type));
  const times = new Map<string, number>();
  for (const { id } of await unionAll(subjectsIn(eventInbox), subjectsIn(events)))
    times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

const grantsOf = async ({ accountId }: PortalUser) =>
  (
    await query
      .select({ id: grants.id })
      .from(grants)
      .innerJoin(consents, eq(consents.id, grants.consentId))
      .where(eq(consents.accountId, accountId))
  ).map(({ id }) => id);

const consentOf = async (user: PortalUser) => (await listConsents(ctx, user))[0]?.consentId ?? "";

/** A pending request, ready to be approved. */
async function asked(client: TestApplication, user: PortalUser) {
  const browser = await TestBrowser.signedIn(ctx, user);
  const response = await browser.authorize(authorizationQuery(client, { prompt: "consent" }));
  return { requestId: requestIdOf(response), browserId: browser.browserId, user };
}

const approve = (request: Awaited<ReturnType<typeof asked>>) =>
  decideRequest(there.ctx, request.user, { ...request, decision: "approve" });

const expire = (on: typeof ctx) =>
  notifyExpiredGrantsJob.run(on, { budget: 0, signal: new AbortController().signal });

const revokeAsDeveloper = (clientId: string) =>
  revokeGrants(there.ctx, owner, { clientId, confirmName: "Test application" });

test("a grant that player, developer and client end at one moment is told ended once", async () => {
  const ended: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const user = await mintUser(ctx);
    const devices = [await mintTokens(ctx, app, { user }), await mintTokens(ctx, app, { user })];
    ended.push(...(await grantsOf(user)));
    const consentId = await consentOf(user);
    const acts = [
      revokeConsents(ctx, user, { consentIds: [consentId] }),
      revokeAsDeveloper(app.clientId),
      revokeToken(there.ctx, app, devices[round % 2]?.refresh_token ?? ""),
    ];
    for (const { status } of await Promise.allSettled(round % 2 ? acts.toReversed() : acts))
      expect(status).toBe("fulfilled");
  }
  const times = await told("grant.ended");
  expect(ended).toHaveLength(2 * rounds);
  expect(ended.filter((id) => times.get(id) !== 1)).toEqual([]);
});

test("a grant that is approved or remembered while the consent is revoked lives, or is told ended once", async () => {
  const all: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const user = await mintUser(ctx);
    await mintTokens(ctx, app, { user });
    const consentId = await consentOf(user);
    const browser = await TestBrowser.signedIn(there.ctx, user);
    const request = await asked(app, user);
    await Promise.all([
      approve(request),
      browser.authorize(authorizationQuery(app)),
      revokeConsents(ctx, user, { consentIds: [consentId] }),
    ]);
    await revokeAllConsents(ctx, user);
    all.push(...(await grantsOf(user)));
  }
  const times = await told("grant.ended");
  expect(all.length).toBeGreaterThan(rounds);
  expect(all.filter((id) => times.get(id) !== 1)).toEqual([]);
});

test("a grant that is approved while its application is deleted is told ended, or is not made", async () => {
  const all: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { clientId, ...doomed } = await mintApplication(ctx, owner);
    const user = await mintUser(ctx);
    const request = await asked({ clientId, ...doomed }, user);
    const named = { clientId, confirmName: "Test application" };
    await Promise.allSettled([approve(request), deleteApplication(ctx, owner, named)]);
    all.push(...(await grantsOf(user)));
  }
  const times = await told("grant.ended");
  expect(all.filter((id) => times.get(id) !== 1)).toEqual([]);
});

test("grants that end with the account are told so once, also those approved meanwhile", async () => {
  for (let round = 0; round < rounds; round += 1) {
    const user = await mintUser(ctx, { name: "Leaver" });
    await mintTokens(ctx, app, { user });
    const request = await asked(app, user);
    await Promise.allSettled([
      approve(request),
      revokeAsDeveloper(app.clientId),
      deleteAccount(ctx, user, { confirmName: "Leaver" }),
    ]);
    expect(await grantsOf(user)).toEqual([]);
  }
  const [approved, times] = [await told("grant.approved"), await told("grant.ended")];
  expect([...approved.keys()].filter((id) => times.get(id) !== 1)).toEqual([]);
});

test("a grant that is approved while its player is banned is told paused, or is not made", async () => {
  const all: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const user = await mintUser(ctx);
    const request = await asked(app, user);
    await Promise.allSettled([
      approve(request),
      banAccount(ctx, createOperator(ctx), { accountId: user.accountId, reason: "Test." }),
    ]);
    all.push(...(await grantsOf(user)));
  }
  const times = await told("grant.paused");
  expect(all.filter((id) => times.get(id) !== 1)).toEqual([]);
});

test("a grant that is paused while its developer ends it is not told paused after its end", async () => {
  const all: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const user = await mintUser(ctx);
    await mintTokens(ctx, app, { user });
    const consentId = await consentOf(user);
    await Promise.all([pauseConsent(ctx, user, { consentId }), revokeAsDeveloper(app.clientId)]);
    all.push(...(await grantsOf(user)));
  }
  await expectWithin(2_000, () => query.$count(eventInbox)).toBe(0);
  const log = await query.select().from(events);
  const at = (id: string, type: string) =>
    log.find((event) => event.subject === id && event.type === type)?.seq;
  for (const id of all) {
    const [paused, ended] = [at(id, "grant.paused"), at(id, "grant.ended")];
    if (paused !== undefined && ended !== undefined) expect(paused).toBeLessThan(ended);
  }
});

test("a grant that is revoked at the moment at which its time is over is told ended once", async () => {
  const all: string[] = [];
  // The first run of the job only notes the time from which it looks.
  await expire(ctx);
  for (let round = 0; round < 10; round += 1) {
    const user = await mintUser(ctx);
    await mintTokens(ctx, app, { user });
    all.push(...(await grantsOf(user)));
    await query
      .update(grants)
      .set({ absoluteExpiry: new Date(ctx.now().getTime() + 1_000) })
      .where(eq(grants.id, all.at(-1) ?? ""));
    const revoking = revokeAllConsents(ctx, user);
    clock.advance(1);
    await Promise.all([revoking, expire(there.ctx)]);
    clock.advance(60);
    await expire(ctx);
  }
  const times = await told("grant.ended");
  expect(all.filter((id) => times.get(id) !== 1)).toEqual([]);
});
