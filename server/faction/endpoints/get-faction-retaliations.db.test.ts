import { expect, test } from "vitest";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { addRetaliations } from "../attacks/store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const ours = 7001;
const us = await mintPlayer(ctx, { factionId: ours, name: "Cleo" });
const scopes = ["faction:attacks"] as const;
const call = callAs(ctx, { playerId: us.id, scopes });
const path = (factionId: number) => `/faction/${factionId}/attacks/retaliations`;
const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1_000);
const row = (code: string, attackEnded: Date, defenderId = us.id) => ({
  ...{ code, attackEnded, defenderId },
  ...{ defenderName: "Cleo", attackerId: 9, attackerName: "Rook" },
});
const hit = (code: string, attackEnded: Date) =>
  addRetaliations(database.query, ours, [row(code, attackEnded)]);

test("hits show newest first, as documented: whole seconds and ID, not a date and id (game 7.8)", async () => {
  await hit("older", ago(120));
  await hit("newer", ago(20));
  const { status, text } = await call(path(ours));
  expect(status).toBe(200);
  const sent = (code: string, seconds: number) =>
    `{"code":"${code}","attack_ended":${ago(seconds).getTime() / 1_000},` +
    `"defender":{"ID":${us.id},"name":"Cleo"},"attacker":{"ID":9,"name":"Rook"}}`;
  expect(text).toBe(`[${sent("newer", 20)},${sent("older", 120)}]`);
});

test("an unchanged list is not sent again to who has it", async () => {
  const etag = (await call(path(ours))).headers.get("etag") ?? "";
  const again = await call(path(ours), { "if-none-match": etag });
  expect([again.status, again.headers.get("x-ratelimit-limit")]).toEqual([304, "250"]);
});

test("a hit is gone when five minutes are over", async () => {
  clock.advance(280);
  expect((await call(path(ours))).json).toMatchObject([{ code: "newer" }]);
  clock.advance(1);
  expect((await call(path(ours))).json).toEqual([]);
});

test("no more than 250 hits are sent", async () => {
  const many = Array.from({ length: 260 }, (_, index) => row(`many ${index}`, ago(index)));
  await addRetaliations(database.query, ours, many);
  const { json } = await call(path(ours));
  expect(json).toHaveLength(250);
  expect(json).toMatchObject({ 0: { code: "many 0" }, 249: { code: "many 249" } });
});

test("another faction's hits are refused to everybody, known or not (ID-01)", async () => {
  const them = await mintPlayer(ctx, { factionId: 7002 });
  await addRetaliations(database.query, 7002, [row("theirs", ago(5), them.id)]);
  for (const id of [7002, 7003, 2_147_483_647])
    expect(await call(path(id))).toMatchObject({ status: 403, json: { code: 4022 } });
  const theirs = await callAs(ctx, { playerId: them.id, scopes })(path(7002));
  expect(theirs.json).toMatchObject([{ code: "theirs" }]);
});

test("who is in no faction, or is not known at all, is told so (BR-11)", async () => {
  const loner = await mintPlayer(ctx, { factionId: null });
  for (const playerId of [loner.id, 2_147_483_647])
    expect(await callAs(ctx, { playerId, scopes })(path(ours))).toMatchObject({
      status: 404,
      json: { code: 1102 },
    });
});
