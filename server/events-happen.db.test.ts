import { desc, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { consents, grants } from "#db/schema/oauth";
import { mintUser, portalUser, testSource } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { eventTypes } from "./event-types";
import { audienceOf, zodSchemaOf } from "./events/event-documents";
import { claimRequest, fulfilRequest } from "./faction/banking/request-acts";
import { jobs } from "./jobs/list";
import { apiPrefix } from "./machine-path";
import {
  narrowConsent,
  pauseConsent,
  resumeConsent,
  revokeConsents,
} from "./oauth/consents/consent-acts";
import { listConsents } from "./oauth/consents/list-consents";
import { decideAccess } from "./oauth/faction-access/decide-access";
import { compileDispatch } from "./rest/dispatch";
import { routes } from "./routes";
import type { ScopeName } from "./scopes";
import { bankingWorld, lanternwatch } from "./testing/banking-world";
import { testDatabase } from "./testing/database";
import { readAnswer } from "./testing/dispatch-world";
import { mintApplication, mintTokens, refresh, revokeToken } from "./testing/oauth-world";

/**
 * Causes every event type through endpoints, portal acts and jobs, and reads it from the list of
 * events.
 */
const world = await bankingWorld(await testDatabase());
const { ctx, clock, simulator, people } = world;
const { control } = simulator;
const on = ctx.database.query;
await on.update(accounts).set({ lendsKey: true });
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const [banker, member, outsider, loner] = (["banker", "member", "outsider", "loner"] as const).map(
  (role) => demoPersonOf(role).playerId,
) as [number, number, number, number];
for (const playerId of [banker, member, outsider, loner, people.developer.playerId])
  control.setPlayer({ playerId, status: { state: "Okay" } });

type Event = {
  id: string;
  type: string;
  data: { subject: { id: string }; revision: number } & Record<string, unknown>;
};
const user = (role: "developer" | "banker" | "member") => portalUser(ctx, people[role]);
const everything: ScopeName[] = ["identity", "faction", "service_key:usage"];
const app = await mintApplication(ctx, user("developer"), { scopes: everything });

async function run(name: string): Promise<void> {
  const job = jobs.find((each) => each.name === name);
  if (!job) throw new Error(`There is no job "${name}".`);
  await job.run(ctx, { budget: 60, signal: new AbortController().signal });
  await ctx.settled();
}
const later = (seconds: number) => {
  clock.advance(seconds);
  control.clearCache();
};
async function call(token: string, path: string, sent: { method?: string; body?: unknown } = {}) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const { method = "GET", body } = sent;
  const request = new Request(`http://any.host${apiPrefix}${path}`, {
    ...{ method, headers, body: body === undefined ? null : JSON.stringify(body) },
  });
  const answer = await readAnswer(await dispatch(ctx, request, { address: testSource.address }));
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.json;
}
async function readAll(): Promise<Event[]> {
  await ctx.settled();
  tokens = await (await refresh(ctx, app, tokens.refresh_token ?? "")).json();
  const token = tokens.access_token;
  const all: Event[] = [];
  for (let after = ""; ; ) {
    const page = (await call(token, `/events?limit=100&expand=record${after}`)) as {
      events: Event[];
      more: boolean;
      cursor: string;
    };
    all.push(...page.events);
    if (!page.more) return all;
    after = `&after=${page.cursor}`;
  }
}
const told = new Map<string, Event[]>();
const keep = (events: readonly Event[]) => {
  for (const event of events) {
    const others = told.get(event.type) ?? [];
    if (!others.some(({ id }) => id === event.id)) told.set(event.type, [...others, event]);
  }
};

// The faction is known before any consent, so that everything later is a change.
for (const name of ["refresh-members", "read-positions", "read-crimes"]) await run(name);
clock.advance(1);
let tokens = await mintTokens(ctx, app, { user: user("banker"), scopes: everything });
clock.advance(1);

test("requests to the vault: made, cancelled, claimed, paid, proved, and expired", async () => {
  const membersToken = (await mintTokens(ctx, app, { user: user("member"), scopes: everything }))
    .access_token;
  const path = `/faction/${lanternwatch}/banking`;
  const ask = async (body: object) =>
    (await call(membersToken, path, { method: "POST", body })) as { id: number };
  clock.advance(1);
  const cancelled = await ask({ amount: 10, type: "money_balance" });
  await call(membersToken, `${path}/${cancelled.id}`, { method: "DELETE" });
  const paid = await ask({ amount: 77, type: "money_balance" });
  const timeout = Math.floor(clock.now().getTime() / 1_000) + 30;
  await ask({ amount: 20, type: "money_balance", timeout });
  control.giveFunds({ factionId: lanternwatch, by: banker, to: member, money: 77 });
  await claimRequest(ctx, people.banker, { request: String(paid.id) });
  await fulfilRequest(ctx, people.banker, { request: String(paid.id) });
  later(60);
  await run("end-vault-requests");
  await run("verify-payments");
  keep(await readAll());
});

test("a hit that somebody strikes back for, and one that nobody does", async () => {
  later(60);
  const strike = () =>
    control.attack({ attackerId: outsider, defenderId: member, result: "Mugged" });
  strike();
  later(30);
  await run("read-faction-attacks");
  control.attack({
    attackerId: banker,
    defenderId: outsider,
    result: "Attacked",
    retaliation: true,
  });
  later(30);
  await run("read-faction-attacks");
  strike();
  later(30);
  await run("read-faction-attacks");
  keep(await readAll());
  later(301);
  await run("close-retaliations");
  keep(await readAll());
});

test("an organized crime that a member holds up, and that goes on", async () => {
  control.addCrime({
    factionId: lanternwatch,
    memberIds: [people.developer.playerId, member, banker],
    readyIn: 100,
  });
  control.setPlayer({ playerId: member, status: { state: "Traveling", place: "the Far Isles" } });
  later(301);
  await run("read-crimes");
  control.setPlayer({ playerId: member, status: { state: "Okay" } });
  later(301);
  await run("read-crimes");
  keep(await readAll());
});

test("a player who joins and leaves, and positions that change", async () => {
  control.setPlayer({ playerId: loner, factionId: lanternwatch, position: "Member" });
  later(301);
  await run("refresh-members");
  control.setPlayer({ playerId: loner, factionId: null });
  later(301);
  await run("refresh-members");
  const abilities = ["Money Giving", "Points Giving", "Faction API Access"] as const;
  control.setPositions({
    factionId: lanternwatch,
    positions: [
      { name: "Banker", isDefault: false, abilities: [...abilities] },
      { name: "Officer", isDefault: false, abilities: ["Faction API Access"] },
      { name: "Member", isDefault: true, abilities: [] },
      { name: "Herald", isDefault: false, abilities: ["Newsletter Sending"] },
    ],
  });
  later(3_601);
  await run("read-positions");
  keep(await readAll());
});

test("a minute of the stock market", async () => {
  later(60);
  await run("refresh-stocks");
  keep(await readAll());
});

test("a faction that blocks an application, and allows it again", async () => {
  const leader = await mintUser(ctx, { factionId: lanternwatch, positionName: "Leader" });
  for (const blocked of [true, false])
    await decideAccess(ctx, leader, { clientIds: [app.clientId], blocked });
  keep(await readAll());
});

test("a grant that is paused, resumed, narrowed and ended; its end is told to the application by another of the player's", async () => {
  const of = user("banker");
  const [consent] = await listConsents(ctx, of);
  const consentId = consent?.consentId ?? "";
  await pauseConsent(ctx, of, { consentId });
  await resumeConsent(ctx, of, { consentId });
  await narrowConsent(ctx, of, { consentId, shown: everything, keep: ["identity", "faction"] });
  const another = await mintTokens(ctx, app, { user: of, scopes: ["identity"] });
  await revokeToken(ctx, app, another.refresh_token ?? "");
  keep(await readAll());
  await revokeConsents(ctx, of, { consentIds: [consentId] });
});

test("a grant that ends by its time is told once, also where the player approves again before anybody looked", async () => {
  clock.advance(1);
  tokens = await mintTokens(ctx, app, { user: user("banker"), scopes: ["identity"] });
  await run("notify-expired-grants");
  const [old] = await on.select().from(grants).orderBy(desc(grants.createdAt)).limit(1);
  await on
    .update(consents)
    .set({ until: new Date(clock.now().getTime() + 30_000) })
    .where(isNull(consents.revokedAt));
  clock.advance(31);
  tokens = await mintTokens(ctx, app, { user: user("banker"), scopes: ["identity"] });
  for (let runs = 0; runs < 2; runs++) {
    clock.advance(60);
    await run("notify-expired-grants");
  }
  const ended = (await readAll()).filter(
    ({ type, data }) => type === "grant.ended" && data.grant_id === old?.id,
  );
  expect(ended.map(({ data }) => data.reason)).toEqual(["expired"]);
});

test("every type of the list has happened, each in the form of its schema, each once for one change", () => {
  // Webhook notices go to endpoints alone.
  const listed = eventTypes.filter((type) => audienceOf(type) !== "endpoint");
  expect(listed.map(({ type }) => type).filter((type) => !told.has(type))).toEqual([]);
  for (const type of listed)
    for (const event of told.get(type.type) ?? [])
      expect(zodSchemaOf(type).strict().parse(event)).toEqual(event);
  const changes = [...told.values()]
    .flat()
    .map(({ type, data }) => `${type} ${data.subject.id} ${data.revision}`);
  expect(new Set(changes).size).toBe(changes.length);
});

test("one act is one event: a request was made, closed and proved once, a hit opened and closed once", () => {
  for (const type of [
    "vault_request.created",
    "vault_request.verified",
    "retaliation.opened",
    "retaliation.closed",
    "crime.delayed",
    "crime.resumed",
  ]) {
    const subjects = (told.get(type) ?? []).map(({ data }) => data.subject.id);
    expect([type, new Set(subjects).size]).toEqual([type, subjects.length]);
  }
});
