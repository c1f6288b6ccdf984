import { expect, test } from "vitest";
import { accounts, gameKeys } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { searchApplications, showAnyApplication } from "#server/admin/applications";
import { ApplicationSearch } from "#server/admin/contract";
import { listAdministeredServers, readChatLink } from "#server/faction/chat-link/read-chat-link";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { demoPeople, demoPersonOf } from "#simulator/demo-people";
import { enrolDemoPeople } from "./demo-world";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });

test("after the first start of a demo every endpoint has something to say, before anybody signed in", async () => {
  await enrolDemoPeople(ctx);
  const { playerId, name } = demoPersonOf("banker");
  const call = callAs(ctx, { playerId, scopes: ["identity"] });
  expect((await call("/faction/crime/names")).json).toHaveLength(26);
  expect((await call("/user")).json).toMatchObject({ tid: playerId, name, factiontid: 7001 });
  for (const faction of [7001, 7002]) {
    const { status, json } = await call(`/faction/${faction}/members`);
    expect(status).toBe(200);
    expect(Array.isArray(json) && json.length).toBeGreaterThan(1);
  }
});

test("the demo faction is linked with the recorded chat's server, which the demo's developer administers", async () => {
  expect(await readChatLink(database.query, 7001)).toMatchObject({ state: "ready" });
  const { playerId } = demoPersonOf("developer");
  const [own] = await listAdministeredServers(ctx, { playerId });
  expect(own?.name).toBe("Lanternwatch Hall");
});

test("an application of the demo's outsider has a proven domain, and another waits for verification", async () => {
  const { playerId } = demoPersonOf("outsider");
  const { rows } = await searchApplications(ctx, ApplicationSearch.parse({ state: "requested" }));
  expect(rows).toMatchObject([{ name: "Tide Almanac", owner: { playerId } }]);
  const [own] = (await searchApplications(ctx, ApplicationSearch.parse({ search: "Tide Clerk" })))
    .rows;
  const { domain, checklist } = await showAnyApplication(ctx, own?.clientId ?? "");
  expect(domain).toMatchObject({ name: "clerk.example", provenBy: "dns" });
  expect(checklist.filter(({ met }) => !met)).toEqual([]);
});

test("a second start changes nothing and asks nothing", async () => {
  const rows = async () => ({
    accounts: await database.query.select().from(accounts).orderBy(accounts.id),
    keys: await database.query.select().from(gameKeys).orderBy(gameKeys.id),
    players: await database.query.select().from(players).orderBy(players.id),
  });
  const before = await rows();
  expect(before.accounts).toHaveLength(demoPeople.length);
  clock.advance(3_600);
  await enrolDemoPeople({
    ...ctx,
    game: {
      ...ctx.game,
      keyInfo: () => {
        throw new Error("The game was asked.");
      },
    },
  });
  expect(await rows()).toEqual(before);
});
