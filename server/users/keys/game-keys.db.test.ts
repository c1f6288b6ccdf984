import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts, gameKeys, notices } from "#db/schema/accounts";
import { isFailure } from "#server/failures";
import { createKeyring } from "#server/platform/keyring";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { demoPersonOf } from "#simulator/demo-people";
import { retestKeysJob } from "../jobs/retest-keys";
import { callGame } from "./call-game";
import { storeGameKey } from "./own-keys";
import { pickKey } from "./pick-key";

const database = await testDatabase();
const world = await testContext({ database });
const { ctx, clock, simulator, log } = world;

const keyRow = async (id: string | null) => {
  const [row] = await database.query
    .select()
    .from(gameKeys)
    .where(eq(gameKeys.id, id ?? ""));
  if (!row) throw new Error("The key is not stored.");
  return row;
};

beforeEach(async () => {
  await database.query.delete(accounts);
  simulator.control.clearFaults();
  simulator.control.clearCache();
  clock.advance(120);
});

describe("storing", () => {
  test("a key is sealed for its row, and the table does not hold its text", async () => {
    const { openKey, key } = await enrol(ctx, "developer");
    const row = await keyRow(openKey.id);
    expect(JSON.stringify(row)).not.toContain(key);
    expect(row.sealed).not.toBeNull();
    expect(ctx.keyring.open("game-key", row.sealed ?? "", row.id)).toBe(key);
    expect(() => ctx.keyring.open("game-key", row.sealed ?? "", ctx.ids.uuid())).toThrow();
    expect(row).toMatchObject({
      lastFour: key.slice(-4),
      level: 3,
      factionApiAccess: true,
      state: "active",
    });
  });

  test("SC-02: each time a key is stored it is sealed under a fresh nonce, with the id of the server secret", async () => {
    const { keyId } = ctx.keyring.hmac("game-key", "any");
    const nonces = new Set<string>();
    for (const role of ["developer", "member", "banker", "member", "member"] as const) {
      const { sealed } = await keyRow((await enrol(ctx, role)).openKey.id);
      const [id, text = ""] = sealed?.split(".") ?? [];
      expect(id).toBe(keyId);
      nonces.add(Buffer.from(text, "base64url").subarray(0, 12).toString("hex"));
    }
    expect(nonces.size).toBe(5);
  });

  test("the same key again renews its row", async () => {
    const first = await enrol(ctx, "member");
    await database.query.update(gameKeys).set({ state: "paused", lastError: "key-paused" });
    const second = await enrol(ctx, "member");
    expect(second.openKey.id).toBe(first.openKey.id);
    expect(await keyRow(second.openKey.id)).toMatchObject({ state: "active", lastError: null });
  });

  test("a key of another player is never attached to an account", async () => {
    const member = await enrol(ctx, "member");
    const { key } = demoPersonOf("banker");
    const info = await ctx.game.keyInfo(key);
    const storing = database.transaction((tx) => storeGameKey(ctx, tx, member, { key, info }));
    await expect(storing).rejects.toSatisfy((thrown) => isFailure(thrown));
    expect(await database.query.select().from(gameKeys)).toHaveLength(1);
  });

  test("an open key tells its text neither as JSON nor to the log", async () => {
    const { openKey, key } = await enrol(ctx, "member");
    expect(JSON.stringify(openKey)).not.toContain(key);
    expect(JSON.stringify(log.lines)).not.toContain(key);
  });
});

describe("picking", () => {
  test("a player's own key is found; a player without one has none", async () => {
    const { playerId, key } = await enrol(ctx, "member");
    expect((await pickKey(ctx, { of: "player", playerId }))?.reveal()).toBe(key);
    expect(
      await pickKey(ctx, { of: "player", playerId: demoPersonOf("loner").playerId }),
    ).toBeNull();
  });

  test("private data of a faction wants a member whose position grants access", async () => {
    await enrol(ctx, "member");
    expect(await pickKey(ctx, { of: "faction", factionId: 7001 })).toBeNull();
    expect(await pickKey(ctx, { of: "members", factionId: 7001 })).not.toBeNull();
    const { playerId } = await enrol(ctx, "developer");
    expect((await pickKey(ctx, { of: "faction", factionId: 7001 }))?.playerId).toBe(playerId);
    expect(await pickKey(ctx, { of: "members", factionId: 7002 })).toBeNull();
  });

  test("of many members' keys the one with the most budget left is taken", async () => {
    const busy = await enrol(ctx, "developer");
    const idle = await enrol(ctx, "banker");
    // Both just spent a call each at enrolment; the next goes to the one that has spent less.
    await callGame(ctx, {
      key: busy.openKey,
      priority: "user",
      call: (game, text) => game.keyInfo(text),
    });
    const picked = await Promise.all(
      [1, 2, 3].map(() => pickKey(ctx, { of: "members", factionId: 7001 })),
    );
    expect(picked.map((key) => key?.playerId)).toEqual([
      idle.playerId,
      idle.playerId,
      idle.playerId,
    ]);
  });

  test("only a lent key, or an administrator's, reads public data for everybody", async () => {
    const { accountId, playerId } = await enrol(ctx, "member");
    expect(await pickKey(ctx, { of: "lenders" })).toBeNull();
    const asAdmin = { ...ctx, settings: { ...ctx.settings, adminUserIds: [playerId] } };
    expect((await pickKey(asAdmin, { of: "lenders" }))?.playerId).toBe(playerId);
    await database.query.update(accounts).set({ lendsKey: true }).where(eq(accounts.id, accountId));
    expect((await pickKey(ctx, { of: "lenders" }))?.playerId).toBe(playerId);
  });

  test("a stored key that cannot be opened is passed over and stays as it is, another of the faction is used", async () => {
    const damaged = await enrol(ctx, "developer");
    const other = await enrol(ctx, "banker");
    const id = damaged.openKey.id;
    const sealed = (await keyRow(id)).sealed?.replace(/.{8}$/, "AAAAAAAA") ?? null;
    // Its minute is the fuller one, so that it is looked at first.
    await callGame(ctx, {
      key: other.openKey,
      priority: "user",
      call: (game, text) => game.keyInfo(text),
    });
    await database.query
      .update(gameKeys)
      .set({ sealed })
      .where(eq(gameKeys.id, id ?? ""));
    expect((await pickKey(ctx, { of: "members", factionId: 7001 }))?.playerId).toBe(other.playerId);
    expect(await keyRow(id)).toMatchObject({ state: "active", sealed });
    expect(await pickKey(ctx, { of: "player", playerId: damaged.playerId })).toBeNull();
  });

  test("a key that its owner just changed is passed over for a minute, another of the faction is used", async () => {
    const changed = await enrol(ctx, "developer");
    const other = await enrol(ctx, "banker");
    simulator.control.clearCache();
    simulator.control.addFault({ player: changed.playerId, code: 11 });
    const asking = callGame(ctx, {
      key: changed.openKey,
      priority: "user",
      call: (game, text) => game.player(text),
    });
    await expect(asking).rejects.toMatchObject({ kind: "key-just-changed" });
    for (const _ of [1, 2, 3, 4])
      expect((await pickKey(ctx, { of: "faction", factionId: 7001 }))?.playerId).toBe(
        other.playerId,
      );
    expect(await pickKey(ctx, { of: "player", playerId: changed.playerId })).toBeNull();
    clock.advance(60);
    expect(await pickKey(ctx, { of: "player", playerId: changed.playerId })).not.toBeNull();
  });

  test("mistake 13: a paused or disabled key is used neither for its owner nor for the faction", async () => {
    const { playerId } = await enrol(ctx, "developer");
    for (const state of ["paused", "disabled", "dead"] as const) {
      await database.query.update(gameKeys).set({ state });
      expect(await pickKey(ctx, { of: "faction", factionId: 7001 })).toBeNull();
      expect(await pickKey(ctx, { of: "members", factionId: 7001 })).toBeNull();
      expect(await pickKey(ctx, { of: "player", playerId })).toBeNull();
    }
  });

  test("the key of a banned account is not used", async () => {
    const { playerId } = await enrol(ctx, "member");
    await database.query.update(accounts).set({ bannedAt: clock.now() });
    expect(await pickKey(ctx, { of: "player", playerId })).toBeNull();
  });

  test("a key that no server secret in force opens is passed over, and neither changed nor spoken of", async () => {
    const { playerId, accountId, openKey } = await enrol(ctx, "member");
    const before = await keyRow(openKey.id);
    const elsewhere = {
      ...ctx,
      keyring: createKeyring(["another-Server-Secret-that-knows-nothing-0123456789"]),
    };
    expect(await pickKey(elsewhere, { of: "player", playerId })).toBeNull();
    clock.set(new Date("2026-03-09T00:20:00Z"));
    const work = { budget: 100, signal: new AbortController().signal };
    await database.query.update(gameKeys).set({ state: "paused" });
    await retestKeysJob.run(elsewhere, work);
    expect(await keyRow(openKey.id)).toEqual({ ...before, state: "paused" });
    expect(
      await database.query.select().from(notices).where(eq(notices.accountId, accountId)),
    ).toEqual([]);
    await database.query.update(gameKeys).set({ state: "active" });
    expect((await pickKey(ctx, { of: "player", playerId }))?.id).toBe(openKey.id);
  });

  test("keys that cannot be opened do not stand before those that can", async () => {
    const { playerId, accountId, openKey } = await enrol(ctx, "member");
    const row = await keyRow(openKey.id);
    const foreign = Array.from({ length: 60 }, () => {
      const id = ctx.ids.uuid();
      return { ...row, id, accountId, keyHmac: id, sealed: "unknown0.x", createdAt: new Date(0) };
    });
    await database.query.insert(gameKeys).values(foreign);
    expect((await pickKey(ctx, { of: "player", playerId }))?.id).toBe(openKey.id);
  });
});
