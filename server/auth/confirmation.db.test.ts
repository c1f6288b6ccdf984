import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { gameKeys } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { type GameCallErrorKind, gameCallError } from "#server/game/game-call-error";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { enableSecondFactor } from "#server/testing/second-factor";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { sentFrom, testSource, visitor } from "#server/testing/world";
import { confirmByCode, confirmByGameKey } from "./confirmation";
import { closeSession, createSession, readSession } from "./sessions";
import { signInWithGameKey } from "./sign-in-with-game-key";

const { ctx, clock, simulator } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;
const browser = { address: null, userAgent: null };
const keys = simulator.demoKeys;

let addresses = 0;
const origin = () => ({ requestId: ctx.ids.request(), address: `198.51.100.${addresses++}` });
const read = async (token: string) => {
  const user = await readSession(ctx, token, testSource);
  if (!user) throw new Error("The session is over.");
  return user;
};
/** Opened by a game key, a day ago. */
async function oldSession(gameKey: string) {
  clock.advance(60);
  const tried = { gameKey, browser, previousSession: null, origin: origin() };
  const { sessionToken } = signedIn(await signInWithGameKey(ctx, visitor, tried));
  clock.advance(86_400);
  return { token: sessionToken, user: await read(sessionToken) };
}
const actsOf = async (accountId: string) =>
  (
    await on.select().from(auditLog).where(eq(auditLog.accountId, accountId)).orderBy(auditLog.id)
  ).map(({ act }) => act);

test("a game key of one's own confirms the session in which it is given, and no other", async () => {
  const { token, user } = await oldSession(keys.member);
  const other = await createSession(ctx, on, {
    accountId: user.accountId,
    from: browser,
    proof: "chat",
  });
  await confirmByGameKey(ctx, sentFrom(user, origin()), { gameKey: ` ${keys.member} ` });
  expect(await read(token)).toMatchObject({
    confirmedAt: ctx.now(),
    authenticatedAt: user.authenticatedAt,
  });
  expect(await read(other.token)).toMatchObject({ confirmedAt: null });
  expect(await actsOf(user.accountId)).toContain("confirmation.accepted");
});

test.each([
  ["another player's key", keys.banker, "key-of-another"],
  ["a key that the game does not know", "NotARealKey00001", "wrong-key"],
  ["what is no key", "short", "malformed"],
])("%s confirms nothing", async (_what, gameKey, reason) => {
  const { token, user } = await oldSession(keys.member);
  expect(await outcomeOf(confirmByGameKey(ctx, sentFrom(user, origin()), { gameKey }))).toBe(
    reason,
  );
  expect(await read(token)).toEqual(user);
  expect(await actsOf(user.accountId)).toContain("confirmation.refused");
});

test("a key that is given to confirm is not stored", async () => {
  const { user } = await oldSession(keys.outsider);
  await on.delete(gameKeys).where(eq(gameKeys.accountId, user.accountId));
  await confirmByGameKey(ctx, sentFrom(user, origin()), { gameKey: keys.outsider });
  expect(await on.select().from(gameKeys).where(eq(gameKeys.accountId, user.accountId))).toEqual(
    [],
  );
});

/** The same, but the game fails. */
const without = (kind: GameCallErrorKind) => ({
  ...ctx,
  game: { ...ctx.game, keyInfo: () => Promise.reject(gameCallError({ kind, detail: "away" })) },
});

test("while the game is away, a stored key that worked still confirms, and no other", async () => {
  const { token, user } = await oldSession(keys.loner);
  const confirm = (gameKey: string) =>
    outcomeOf(confirmByGameKey(without("network"), sentFrom(user, origin()), { gameKey }));
  expect(await confirm("NotARealKey00001")).toBe("game-unavailable");
  expect(await confirm(keys.loner)).toBe("accepted");
  expect(await read(token)).toMatchObject({ confirmedAt: ctx.now() });
});

test.each(["ip-block", "owner-budget"] as const)(
  "that our calls are used up (%s) confirms no stored key: somebody who found a deleted one could cause that",
  async (kind) => {
    const { token, user } = await oldSession(keys.loner);
    const confirmed = confirmByGameKey(without(kind), sentFrom(user, origin()), {
      gameKey: keys.loner,
    });
    expect(await outcomeOf(confirmed)).toBe("game-unavailable");
    expect((await read(token))?.confirmedAt).not.toEqual(ctx.now());
  },
);

test("an account with a second factor confirms by it alone", async () => {
  const { token, user } = await oldSession(keys.developer);
  const { app } = await enableSecondFactor(ctx, user);
  clock.advance(86_400);
  const old = await read(token);
  const byKey = confirmByGameKey(ctx, sentFrom(old, origin()), { gameKey: keys.developer });
  expect(await outcomeOf(byKey)).toBe("code-wanted");
  expect(
    await outcomeOf(confirmByCode(ctx, sentFrom(old, origin()), { code: app.wrongCode() })),
  ).toBe("wrong-code");
  expect(await read(token)).toEqual(old);
  await confirmByCode(ctx, sentFrom(old, origin()), { code: app.code() });
  expect(await read(token)).toMatchObject({ confirmedAt: ctx.now(), secondFactor: "passed" });
});

test("a session that ended meanwhile is not confirmed, and its code is not used up", async () => {
  const { token, user } = await oldSession(keys.banker);
  const { app } = await enableSecondFactor(ctx, user);
  await closeSession(ctx, on, token);
  const confirm = () =>
    outcomeOf(confirmByCode(ctx, sentFrom(user, origin()), { code: app.code() }));
  expect(await confirm()).toBe("session-over");
  expect(await confirm()).toBe("session-over");
});

test("guesses at a key are limited as at the sign-in", async () => {
  const { user } = await oldSession(keys.member);
  const outcomes = [];
  for (let n = 0; n < 8; n++)
    outcomes.push(
      await outcomeOf(
        confirmByGameKey(ctx, sentFrom(user, origin()), { gameKey: `NotARealKey0000${n}` }),
      ),
    );
  expect(outcomes.filter((each) => each === "throttled")).toHaveLength(3);
});
