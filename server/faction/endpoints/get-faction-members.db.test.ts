import { expect, test } from "vitest";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer } from "#server/testing/world";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const call = callAs(ctx, {});

const faction = await mintFaction(ctx, { id: 7001, membersRefreshed: clock.now() });
await mintPlayer(ctx, { id: 30, name: "Cleo", level: 3, factionId: faction.id });
await mintPlayer(ctx, {
  id: 4,
  name: "Ada",
  level: 40,
  factionId: faction.id,
  chatId: 1_234_567_890_123_456_789n,
});
await mintPlayer(ctx, { id: 200, name: "Bruno", level: 21, factionId: faction.id, chatId: 7n });
await mintPlayer(ctx, { id: 5, name: "Elsewhere", factionId: 7002 });

test.each(["/7001/members", "/faction/7001/members"])(
  "%s lists the members of any faction by id, with exact chat ids (ID-08)",
  async (path) => {
    const { status, text } = await call(path);
    expect(status).toBe(200);
    expect(text).toBe(
      '[{"ID":4,"name":"Ada","level":40,"chat_id":1234567890123456789},' +
        '{"ID":30,"name":"Cleo","level":3,"chat_id":null},' +
        '{"ID":200,"name":"Bruno","level":21,"chat_id":7}]',
    );
  },
);

test("a faction that was never listed has the players who are known to be in it", async () => {
  await mintFaction(ctx, { id: 7003, membersRefreshed: null });
  await mintPlayer(ctx, { id: 9, name: "First", factionId: 7003 });
  // Of 7002 nothing at all is stored but the players of it.
  expect((await call("/7002/members")).json).toMatchObject([{ ID: 5, name: "Elsewhere" }]);
  expect((await call("/faction/7003/members")).json).toMatchObject([{ ID: 9, name: "First" }]);
});

test("a faction that no stored player and no listing names is unknown", async () => {
  await mintFaction(ctx, { id: 7005, membersRefreshed: null });
  for (const id of [7005, 7006, 2_147_483_647]) {
    const { status, json } = await call(`/${id}/members`);
    expect(status).toBe(404);
    expect(json).toMatchObject({ code: 1102 });
  }
});

test("a faction that everybody left is an empty list", async () => {
  await mintFaction(ctx, { id: 7004, membersRefreshed: clock.now() });
  const { status, text } = await call("/7004/members");
  expect(status).toBe(200);
  expect(text).toBe("[]");
});

test("an unchanged list is not sent again to who has it", async () => {
  const etag = (await call("/7001/members")).headers.get("etag") ?? "";
  expect(etag).not.toBe("");
  expect((await call("/7001/members", { "if-none-match": etag })).status).toBe(304);
  await mintPlayer(ctx, { id: 6, factionId: faction.id });
  expect((await call("/7001/members", { "if-none-match": etag })).status).toBe(200);
});
