import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { players } from "#db/schema/players";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { apiPrefix } from "#server/machine-path";
import {
  narrowConsent,
  pauseConsent,
  resumeConsent,
  revokeConsents,
} from "#server/oauth/consents/consent-acts";
import { listConsents } from "#server/oauth/consents/list-consents";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import type { ScopeName } from "#server/scopes";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const on = database.query;
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const faction = 7001;

async function member(scopes: ScopeName[] = ["identity", "faction"]) {
  const user = await mintUser(ctx);
  await on
    .update(players)
    .set({ factionId: faction, factionSince: clock.now() })
    .where(eq(players.id, user.playerId));
  const tokens = await mintTokens(ctx, app, { user, scopes });
  const [consent] = await listConsents(ctx, user);
  if (!consent) throw new Error("no consent");
  return { user, token: tokens.access_token, consentId: consent.consentId };
}
const hit = async (code: string) => {
  clock.advance(1);
  await database.transaction((tx) =>
    recordEvents(ctx, tx, [{ type: retaliationOpened, subject: code, factionId: faction }]),
  );
  await ctx.settled();
};
async function list(token: string, query = "") {
  const headers = { authorization: `Bearer ${token}` };
  const response = await dispatch(
    ctx,
    new Request(`http://any.host${apiPrefix}/events${query}`, { headers }),
    {
      address: testSource.address,
    },
  );
  return { status: response.status, json: await response.json() };
}
const hits = async (token: string, query = "") =>
  (await list(token, query)).json.events
    .filter((event: { type: string }) => event.type === "retaliation.opened")
    .map((event: { data: { subject: { id: string } } }) => event.data.subject.id);

test("a member is told of the faction's hits, and of the grant, in order; each with a cursor to go on from", async () => {
  const { user, token } = await member();
  await hit("a");
  await hit("b");
  const { status, json } = await list(token);
  expect(status).toBe(200);
  expect(json.events.map((event: { type: string }) => event.type)).toEqual([
    "grant.approved",
    "retaliation.opened",
    "retaliation.opened",
  ]);
  expect(json.events[1]).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    data: {
      sub: String(user.playerId),
      faction_id: faction,
      subject: { kind: "retaliation", id: "a" },
    },
  });
  expect(await hits(token, `?after=${json.events[1].cursor}`)).toEqual(["b"]);
  expect((await list(token, `?after=${json.cursor}`)).json).toMatchObject({
    events: [],
    more: false,
  });
});

test("what happened before the grant, while it was paused, after a scope was taken, or in another faction is not told", async () => {
  await hit("before");
  const { user, token, consentId } = await member();
  await hit("first");
  await pauseConsent(ctx, user, { consentId });
  await hit("paused");
  await resumeConsent(ctx, user, { consentId });
  await hit("resumed");
  expect(await hits(token)).toEqual(["first", "resumed"]);
  await on
    .update(players)
    .set({ factionId: 7002, factionSince: clock.now() })
    .where(eq(players.id, user.playerId));
  expect(await hits(token)).toEqual([]);
  clock.advance(1);
  await on
    .update(players)
    .set({ factionId: faction, factionSince: clock.now() })
    .where(eq(players.id, user.playerId));
  expect(await hits(token)).toEqual([]);
  await hit("again");
  expect(await hits(token)).toEqual(["again"]);
  await narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep: ["identity"] });
  await hit("narrowed");
  expect(await hits(token)).toEqual([]);
  await revokeConsents(ctx, user, { consentIds: [consentId] });
  expect((await list(token)).status).toBe(401);
});

test("a cursor of another application, a forged one and one of another epoch are refused with where the log begins", async () => {
  const { token } = await member();
  const { cursor } = (await list(token)).json;
  for (const bad of [
    `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}`,
    "nonsense",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAA",
  ])
    expect(await list(token, `?after=${bad}`)).toMatchObject({
      status: 400,
      json: { details: { reason: "unknown", oldest: expect.any(String) } },
    });
});

test("what is older than seven days is not kept: a cursor from before is refused, and a list without one begins later", async () => {
  const { user, token } = await member();
  await hit("old");
  const { cursor } = (await list(token)).json;
  await hit("lost");
  clock.advance(3 * 86_400);
  await hit("newer");
  clock.advance(4 * 86_400);
  const later = await mintTokens(ctx, app, { user, scopes: ["faction"] });
  const refused = await list(later.access_token, `?after=${cursor}`);
  expect(refused).toMatchObject({ status: 400, json: { details: { reason: "expired" } } });
  expect((await list(later.access_token, `?after=${refused.json.details.oldest}`)).status).toBe(
    200,
  );
});

test("a page is turned at its limit, and `since` begins at a moment", async () => {
  const { token } = await member();
  for (const code of ["one", "two", "three"]) await hit(code);
  const since = Math.floor(clock.now().getTime() / 1_000) - 1;
  const { events, cursor, more } = (await list(token, "?limit=2")).json;
  expect([events.length, more]).toEqual([2, true]);
  expect(await hits(token, `?after=${cursor}`)).toEqual(["two", "three"]);
  expect(await hits(token, `?since=${since}&types=retaliation.opened`)).toEqual(["two", "three"]);
});
