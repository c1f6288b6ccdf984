import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys, notices, secondFactors } from "#db/schema/accounts";
import { appState } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { createKeyring } from "#server/platform/keyring";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { pickKey } from "#server/users/keys/pick-key";
import { giveUpUnreadableKeys } from "#server/users/keys/reseal-keys";
import { declareOthersLost } from "./secrets-in-force";

const database = await testDatabase();
const on = database.query;
const [a, b, c] = ["A", "B", "C"].map(
  (name) => `${name}-tests-alone-use-this-Secret-0123456789-abcdefghij`,
);
const start = async (serverSecret?: string, previousServerSecret?: string) => {
  const world = await testContext({ database, settings: { serverSecret, previousServerSecret } });
  await world.ctx.settled();
  return world;
};
const refused = { name: "UnknownServerSecret", message: /^SERVER_SECRET is wrong: / };
const inForce = async () => {
  const [row] = await on.select().from(appState).where(eq(appState.key, "server-secrets"));
  return JSON.parse(row?.value ?? "[]").length;
};
const keyRow = async () => (await on.select().from(gameKeys))[0];
const noticeKinds = async () => (await on.select().from(notices)).map(({ kind }) => kind);

beforeEach(async () => {
  for (const table of [accounts, players, appState]) await on.delete(table);
});

test("the first start decides; later ones with another secret are refused, and write nothing", async () => {
  await enrol((await start(a)).ctx, "member");
  const before = [await on.select().from(appState), await on.select().from(gameKeys)];
  await expect(start(b)).rejects.toMatchObject(refused);
  await expect(start(b, c)).rejects.toMatchObject(refused);
  expect([await on.select().from(appState), await on.select().from(gameKeys)]).toEqual(before);
  expect(await noticeKinds()).toEqual([]);
});

test("the database holds a hash of the secret, and not the secret", async () => {
  await start(a, c);
  const [row] = await on.select().from(appState).where(eq(appState.key, "server-secrets"));
  expect(row?.value).not.toContain(a);
  expect(await inForce()).toBe(1);
});

test("the documented change: first the new one as the previous, then exchanged, instances of both beside each other", async () => {
  const { ctx } = await start(a);
  const { playerId } = await enrol(ctx, "member");
  const preparing = await start(a, b);
  const exchanged = await start(b, a);
  for (const each of [preparing, exchanged, await start(a, b)])
    expect(await pickKey(each.ctx, { of: "player", playerId })).not.toBeNull();
  await start(b, a);
  const alone = await start(b);
  expect((await pickKey(alone.ctx, { of: "player", playerId }))?.reveal()).toBe(
    (await enrol(alone.ctx, "member")).key,
  );
  expect(await on.select().from(gameKeys)).toHaveLength(1);
  await expect(start(c)).rejects.toMatchObject(refused);
});

test("a secret that was only announced as the previous one is not in force", async () => {
  await start(a, b);
  await expect(start(b)).rejects.toMatchObject(refused);
});

test("after a change what was sealed is sealed again, and the old secret goes out of force where nothing is left under it", async () => {
  const first = await start(a);
  const { accountId } = await enrol(first.ctx, "member");
  const sealed = first.ctx.keyring.seal("second-factor", "shared secret", accountId);
  await on.insert(secondFactors).values({ accountId, sealed, createdAt: first.ctx.now() });
  const { ctx } = await start(b, a);
  const [factor] = await on.select().from(secondFactors);
  expect(ctx.keyring.open("second-factor", factor?.sealed ?? "", accountId)).toBe("shared secret");
  for (const row of [factor, await keyRow()])
    expect(row?.sealed).toMatch(new RegExp(`^${ctx.keyring.keyIds[0]}\\.`));
  expect(await inForce()).toBe(2);
  await start(b);
  expect(await inForce()).toBe(1);
  await expect(start(a)).rejects.toMatchObject(refused);
});

test("an old secret stays in force while rows are kept under it, and the log says what cannot be read", async () => {
  const first = await start(a);
  const { accountId } = await enrol(first.ctx, "member");
  await start(b, a);
  // Stored by an instance that had not changed yet.
  const id = first.ctx.ids.uuid();
  const late = {
    ...(await keyRow()),
    id,
    keyHmac: id,
    sealed: first.ctx.keyring.seal("game-key", "late", id),
  };
  await on.insert(gameKeys).values({ ...late, accountId } as typeof gameKeys.$inferInsert);
  const { log } = await start(b);
  expect(await inForce()).toBe(2);
  expect(log.lines).toContainEqual(
    expect.objectContaining({ level: "warn", fields: { unreadable: { "game keys": 1 } } }),
  );
});

test("keys that a wrong secret gave up are back in use with the right one, and their owners are told", async () => {
  const { ctx } = await start(a);
  const { playerId } = await enrol(ctx, "member");
  await on.update(gameKeys).set({ state: "disabled", lastError: "lost-secret" });
  expect(await pickKey((await start(a)).ctx, { of: "player", playerId })).not.toBeNull();
  expect(await keyRow()).toMatchObject({ state: "active", lastError: null });
  await start(a);
  expect(await noticeKinds()).toEqual(["game-key-restored"]);
});

test("a key that rests for a reason of the game's stays at rest", async () => {
  const { ctx } = await start(a);
  await enrol(ctx, "member");
  await on.update(gameKeys).set({ state: "disabled", lastError: "owner-unavailable" });
  await start(b, a);
  expect(await keyRow()).toMatchObject({ state: "disabled", lastError: "owner-unavailable" });
});

test("a database of the release before is known by its rows: its secret starts, another one does not", async () => {
  const { ctx } = await start(a);
  await enrol(ctx, "member");
  await on.delete(appState);
  await expect(start(b)).rejects.toMatchObject(refused);
  expect(await inForce()).toBe(0);
  await start(b, a);
  expect(await inForce()).toBe(2);
  // Instances that have not changed yet are as right as before.
  await start(a);
});

test("a secret that is lost for good is given up out loud; keys rest, owners are told, and finding it again opens them", async () => {
  const { playerId } = await enrol((await start(a)).ctx, "member");
  const { ctx: readable } = await start(a);
  await declareOthersLost(database, { keyring: createKeyring([b ?? ""]), now: readable.now });
  const { ctx } = await start(b);
  expect(await giveUpUnreadableKeys(ctx)).toBe(1);
  expect(await giveUpUnreadableKeys(ctx)).toBe(0);
  expect(await keyRow()).toMatchObject({ state: "disabled", lastError: "lost-secret" });
  expect(await noticeKinds()).toEqual(["game-key-lost-secret"]);
  await expect(start(a)).rejects.toMatchObject(refused);
  expect(await pickKey((await start(b, a)).ctx, { of: "player", playerId })).not.toBeNull();
});
