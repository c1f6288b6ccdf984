import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, sessions } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import { createKeyring } from "#server/platform/keyring";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, testSource } from "#server/testing/world";
import {
  createSession,
  endOtherSessions,
  endSession,
  hashSessionToken,
  listSessions,
  pageSessions,
  readSession,
  signOut,
} from "./sessions";

const database = await testDatabase();
const here = await testContext({ database });
/** A second instance on the same database. */
const elsewhere = await testContext({ database, beside: here });
const { ctx, clock } = here;
const on = ctx.database.query;
const origin = { requestId: "test", address: "192.0.2.1" };
const day = 86_400;

const browser = { address: "192.0.2.7", userAgent: "Firefox" };
const signedIn = async (user?: PortalUser) => {
  const { accountId } = user ?? (await mintUser(ctx));
  const { token } = await createSession(ctx, on, { accountId, from: browser, proof: "game-key" });
  const read = await readSession(ctx, token, testSource);
  if (!read) throw new Error("The session was not opened.");
  return { token, user: read };
};

describe("a session", () => {
  test("is known on every instance, by a token of 256 bits of which only a hash is stored (PT-07)", async () => {
    const { token, user } = await signedIn();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await readSession(elsewhere.ctx, token, testSource)).toEqual(user);
    const rows = await on.select().from(sessions).where(eq(sessions.accountId, user.accountId));
    expect(rows.map((row) => row.idHash)).toEqual([hashSessionToken(ctx.keyring, token)]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test.each([null, "", "x", "A".repeat(43), `${"A".repeat(42)}%`, "A".repeat(5_000), "\u0000"])(
    "%j opens nothing",
    async (token) => {
      expect(await readSession(ctx, token, testSource)).toBeNull();
    },
  );

  test("its hash is no token", async () => {
    const { token } = await signedIn();
    expect(await readSession(ctx, hashSessionToken(ctx.keyring, token), testSource)).toBeNull();
  });

  test("ends 31 days after its last use, and each use counts", async () => {
    const { token } = await signedIn();
    for (let use = 0; use < 5; use++) {
      clock.advance(30 * day);
      expect(await readSession(ctx, token, testSource)).not.toBeNull();
    }
    // A use in the first half of its life counts as well.
    clock.advance(5 * day);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
    clock.advance(31 * day - 60);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
    clock.advance(31 * day + 60);
    expect(await readSession(ctx, token, testSource)).toBeNull();
    expect(
      await on
        .select()
        .from(sessions)
        .where(eq(sessions.idHash, hashSessionToken(ctx.keyring, token))),
    ).toEqual([]);
  });

  test("survives a clock that is an hour wrong for a while (RE-44)", async () => {
    const { token } = await signedIn();
    clock.advance(-3_600);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
    clock.advance(7_200);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
    clock.advance(-3_600);
  });

  test("sliding does not renew the proof of identity", async () => {
    const { token, user } = await signedIn();
    clock.advance(2 * day);
    expect((await readSession(ctx, token, testSource))?.authenticatedAt).toEqual(
      user.authenticatedAt,
    );
  });

  test("outlives a change of the server secret, and moves to the new one when it is used", async () => {
    const { token, user } = await signedIn();
    const renewed = {
      ...ctx,
      keyring: createKeyring(["the next server secret", ctx.settings.serverSecret ?? ""]),
    };
    const read = await readSession(renewed, token, testSource);
    expect(read).toMatchObject({
      accountId: user.accountId,
      authenticatedAt: user.authenticatedAt,
    });
    expect(read?.sessionHash).toBe(hashSessionToken(renewed.keyring, token));
    const forgotten = { ...ctx, keyring: createKeyring(["the next server secret"]) };
    expect(await readSession(forgotten, token, testSource)).toEqual(read);
    await signOut(renewed, user, { token });
    expect(await readSession(forgotten, token, testSource)).toBeNull();
  });

  test("keeps the beginning of an overlong user agent", async () => {
    const { accountId } = await mintUser(ctx);
    await createSession(ctx, on, {
      accountId,
      from: { address: null, userAgent: "x".repeat(10_000) },
      proof: "game-key",
    });
    const [row] = await on.select().from(sessions).where(eq(sessions.accountId, accountId));
    expect(row?.userAgent).toHaveLength(256);
  });

  test("of a banned account opens nothing at once (PT-16)", async () => {
    const { token, user } = await signedIn();
    await on.update(accounts).set({ bannedAt: ctx.now() }).where(eq(accounts.id, user.accountId));
    expect(await readSession(ctx, token, testSource)).toBeNull();
    expect(await readSession(elsewhere.ctx, token, testSource)).toBeNull();
  });
});

describe("signing out", () => {
  test("kills the session on every instance, and is audited (PT-09)", async () => {
    const { token, user } = await signedIn();
    await signOut(ctx, user, { token });
    expect(await readSession(ctx, token, testSource)).toBeNull();
    expect(await readSession(elsewhere.ctx, token, testSource)).toBeNull();
    const events = await on.select().from(auditLog).where(eq(auditLog.accountId, user.accountId));
    expect(events.map(({ act, requestId, address }) => ({ act, requestId, address }))).toEqual([
      { act: "session.closed", requestId: "test", address: "192.0.2.1" },
    ]);
  });

  test("leaves the account's other sessions alone, and may be repeated", async () => {
    const first = await signedIn();
    const second = await signedIn(first.user);
    for (let round = 0; round < 2; round++) await signOut(ctx, first.user, { token: first.token });
    expect(await readSession(ctx, second.token, second.user.from)).toEqual(second.user);
  });
});

describe("the list of sessions", () => {
  test("shows where the account is signed in, newest first, without anything that opens a session", async () => {
    const first = await signedIn();
    clock.advance(3 * 3_600);
    const second = await signedIn(first.user);
    await signedIn();
    await readSession(ctx, first.token, testSource);
    const lastUsedAt = ctx.now();
    clock.advance(50 * 60);
    const list = await listSessions(ctx, second.user);
    expect(list).toMatchObject([
      {
        current: true,
        lastUsedAt: ctx.now(),
        address: "192.0.2.7",
        userAgent: "Firefox",
        signedInAt: second.user.authenticatedAt,
      },
      { current: false, signedInAt: first.user.authenticatedAt, lastUsedAt },
    ]);
    for (const { token } of [first, second]) expect(JSON.stringify(list)).not.toContain(token);
    for (const { id } of list) expect(await readSession(ctx, id, testSource)).toBeNull();
  });

  test("leaves out those that are over", async () => {
    const first = await signedIn();
    clock.advance(32 * day);
    const second = await signedIn(first.user);
    expect(await listSessions(ctx, second.user)).toHaveLength(1);
  });
});

test("an account has at most 100 live sessions: the oldest ends for the next, and the list comes in pages", async () => {
  const first = await signedIn();
  const opened = [first];
  for (let number = 1; number <= 100; number += 1) {
    clock.advance(1);
    opened.push(await signedIn(first.user));
  }
  expect(await readSession(elsewhere.ctx, first.token, testSource)).toBeNull();
  const { user } = opened.at(-1) ?? first;
  expect(await readSession(ctx, opened[1]?.token ?? "", testSource)).not.toBeNull();
  const page = await pageSessions(ctx, user, null);
  expect([page.rows.length, page.next, page.all]).toEqual([20, "20", 100]);
  const last = await pageSessions(ctx, user, "80");
  expect([last.rows.length, last.next]).toEqual([20, null]);
});

describe("ending sessions from afar (PT-16)", () => {
  test("one of the account's own ends on every instance", async () => {
    const mine = await signedIn();
    const lost = await signedIn(mine.user);
    const named = (await listSessions(ctx, mine.user)).find((session) => !session.current);
    expect(await endSession(ctx, sentFrom(mine.user, origin), { sessionId: named?.id ?? "" })).toBe(
      1,
    );
    expect(await readSession(elsewhere.ctx, lost.token, testSource)).toBeNull();
    expect(await readSession(ctx, mine.token, mine.user.from)).toEqual(mine.user);
  });

  test("another account's cannot be ended", async () => {
    const mine = await signedIn();
    const theirs = await signedIn();
    const [named] = await listSessions(ctx, theirs.user);
    expect(await endSession(ctx, sentFrom(mine.user, origin), { sessionId: named?.id ?? "" })).toBe(
      0,
    );
    expect(await readSession(ctx, theirs.token, theirs.user.from)).toEqual(theirs.user);
  });

  test.each(["", "%", "_".repeat(16), "' or true --"])("%j names none", async (sessionId) => {
    const mine = await signedIn();
    expect(await endSession(ctx, sentFrom(mine.user, origin), { sessionId })).toBe(0);
    expect(await readSession(ctx, mine.token, mine.user.from)).toEqual(mine.user);
  });

  test("all others end and this one stays", async () => {
    const mine = await signedIn();
    const others = [await signedIn(mine.user), await signedIn(mine.user)];
    const stranger = await signedIn();
    expect(await endOtherSessions(ctx, sentFrom(mine.user, origin))).toBe(2);
    for (const { token } of others)
      expect(await readSession(elsewhere.ctx, token, testSource)).toBeNull();
    expect(await readSession(ctx, mine.token, mine.user.from)).toEqual(mine.user);
    expect(await readSession(ctx, stranger.token, stranger.user.from)).toEqual(stranger.user);
  });
});
