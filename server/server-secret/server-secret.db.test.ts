import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys, secondFactors, sessions } from "#db/schema/accounts";
import { appState } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { pickKey } from "#server/users/keys/pick-key";
import { countNeedsOfPreviousSecret } from "./server-secret";

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
const canary = async () =>
  (await on.select().from(appState).where(eq(appState.key, "server-secret")))[0]?.value ?? "";
const keyRow = async () => (await on.select().from(gameKeys))[0];

beforeEach(async () => {
  for (const table of [accounts, players, appState]) await on.delete(table);
});

test("the first start decides; later ones with another secret are refused, and write nothing", async () => {
  await enrol((await start(a)).ctx, "member");
  const before = [await on.select().from(appState), await on.select().from(gameKeys)];
  await expect(start(b)).rejects.toMatchObject(refused);
  await expect(start(b, c)).rejects.toMatchObject(refused);
  expect([await on.select().from(appState), await on.select().from(gameKeys)]).toEqual(before);
});

test("the database holds a sealed row, and not the secret", async () => {
  await start(a, c);
  expect(await canary()).not.toContain(a);
  expect(await canary()).toMatch(/^[\w-]{8}\.[\w-]+$/);
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

test("a secret that was only announced as the previous one is refused alone", async () => {
  await start(a, b);
  await expect(start(b)).rejects.toMatchObject(refused);
});

test("after a change what was sealed is sealed again, and the old secret is refused", async () => {
  const first = await start(a);
  const { accountId } = await enrol(first.ctx, "member");
  const sealed = first.ctx.keyring.seal("second-factor", "shared secret", accountId);
  await on.insert(secondFactors).values({ accountId, sealed, createdAt: first.ctx.now() });
  const { ctx } = await start(b, a);
  const [factor] = await on.select().from(secondFactors);
  expect(ctx.keyring.open("second-factor", factor?.sealed ?? "", accountId)).toBe("shared secret");
  for (const row of [factor, await keyRow()])
    expect(row?.sealed).toMatch(new RegExp(`^${ctx.keyring.keyIds[0]}\\.`));
  await start(b);
  await expect(start(a)).rejects.toMatchObject(refused);
});

test("the log says what cannot be read", async () => {
  const first = await start(a);
  const { accountId } = await enrol(first.ctx, "member");
  await start(b, a);
  // Written by an instance before its change.
  const id = first.ctx.ids.uuid();
  const late = {
    ...(await keyRow()),
    id,
    keyHmac: id,
    sealed: first.ctx.keyring.seal("game-key", "late", id),
  };
  await on.insert(gameKeys).values({ ...late, accountId } as typeof gameKeys.$inferInsert);
  const { log } = await start(b);
  expect(log.lines).toContainEqual(
    expect.objectContaining({ level: "warn", fields: { unreadable: { "game keys": 1 } } }),
  );
});

test("a key that rests for a reason of the game's stays at rest", async () => {
  const { ctx } = await start(a);
  await enrol(ctx, "member");
  await on.update(gameKeys).set({ state: "disabled", lastError: "owner-unavailable" });
  await start(b, a);
  expect(await keyRow()).toMatchObject({ state: "disabled", lastError: "owner-unavailable" });
});

test("sign-ins that were not used since the secret changed still need the previous one", async () => {
  const { ctx } = await start(a);
  const { accountId } = await enrol(ctx, "member");
  expect(await countNeedsOfPreviousSecret(ctx)).toEqual({});
  const at = ctx.now();
  const expiresAt = new Date(at.getTime() + 1_000);
  await on
    .insert(sessions)
    .values({ idHash: "old", accountId, createdAt: at, authenticatedAt: at, expiresAt });
  const changed = await start(b, a);
  expect(await countNeedsOfPreviousSecret(changed.ctx)).toEqual({ "sign-ins": 1 });
});
