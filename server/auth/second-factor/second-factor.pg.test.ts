import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import { authenticatorApp } from "#server/testing/authenticator-app";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { enableSecondFactor, proveFirstFactor } from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, testSource, visitor } from "#server/testing/world";
import { createSession, readSession } from "../sessions";
import { beginSecondFactor, confirmSecondFactor, showSecondFactor } from "./second-factor-acts";
import { completeSecondStep, finishSignIn } from "./second-step";

const database = await testDatabase();
const here = await testContext({ database });
/** A second instance on the same database, with rate-limit windows of its own. */
const elsewhere = await testContext({ database, beside: here });
const { ctx, clock } = here;
const browser = { address: "192.0.2.7", userAgent: "Firefox" };

let addresses = 0;
const origin = () => ({ requestId: "r", address: `198.51.100.${addresses++}` });
const counts = (outcomes: readonly string[]) => ({
  accepted: outcomes.filter((each) => each === "accepted").length,
  refused: outcomes.filter((each) => each !== "accepted").length,
});

/** The maximum that the windows of two instances allow, half at each. */
const mostAtOnce = 10;

const secured = async () => {
  clock.advance(60);
  const user = await mintUser(ctx);
  return { user, ...(await enableSecondFactor(ctx, user)) };
};

const submit = (tries: readonly { token: string; code: string }[]) =>
  Promise.all(
    tries.map(({ token, code }, at) =>
      outcomeOf(
        completeSecondStep((at % 2 === 0 ? here : elsewhere).ctx, sentFrom(visitor, origin()), {
          token,
          code,
          previousSession: null,
        }),
      ),
    ),
  );

test("one code submitted by many browsers at once, on two instances, signs in exactly one", async () => {
  const { user, app } = await secured();
  const tokens = [];
  for (let n = 0; n < mostAtOnce; n++) tokens.push(await proveFirstFactor(ctx, user));
  const outcomes = await submit(tokens.map((token) => ({ token, code: app.code() })));
  expect(counts(outcomes)).toEqual({ accepted: 1, refused: mostAtOnce - 1 });
});

test("one backup code submitted by many browsers at once signs in exactly one", async () => {
  const {
    user,
    backupCodes: [code = ""],
  } = await secured();
  const tokens = [];
  for (let n = 0; n < mostAtOnce; n++) tokens.push(await proveFirstFactor(ctx, user));
  const outcomes = await submit(tokens.map((token) => ({ token, code })));
  expect(counts(outcomes)).toEqual({ accepted: 1, refused: mostAtOnce - 1 });
  expect(await showSecondFactor(ctx, user)).toMatchObject({ backupCodesLeft: 9 });
});

test("one second step finished with many right codes at once opens one session and uses up one code", async () => {
  const { user, backupCodes } = await secured();
  const token = await proveFirstFactor(ctx, user);
  const outcomes = await submit(backupCodes.map((code) => ({ token, code })));
  expect(counts(outcomes)).toEqual({ accepted: 1, refused: backupCodes.length - 1 });
  expect(await showSecondFactor(ctx, user)).toMatchObject({ backupCodesLeft: 9 });
});

test("of many guesses at once no more than five on an instance are looked at", async () => {
  const { user, app } = await secured();
  const token = await proveFirstFactor(ctx, user);
  const tries = Array.from({ length: 40 }, () =>
    outcomeOf(
      completeSecondStep(ctx, sentFrom(visitor, origin()), {
        token,
        code: app.wrongCode(),
        previousSession: null,
      }),
    ),
  );
  const outcomes = await Promise.all(tries);
  expect(outcomes.filter((each) => each === "wrong-code")).toHaveLength(5);
  expect(outcomes.filter((each) => each === "throttled")).toHaveLength(35);
});

test("confirmed twice at once it is turned on once, with one set of backup codes", async () => {
  clock.advance(60);
  const user = await mintUser(ctx);
  const app = authenticatorApp((await beginSecondFactor(ctx, user)).secret, ctx.now);
  const confirm = () =>
    outcomeOf(confirmSecondFactor(ctx, sentFrom(user, origin()), { code: app.code(), keep: [] }));
  expect(counts(await Promise.all([confirm(), confirm(), confirm()]))).toEqual({
    accepted: 1,
    refused: 2,
  });
  expect(await showSecondFactor(ctx, user)).toMatchObject({ backupCodesLeft: 10 });
});

test("of guesses at once on two instances, minute after minute, ten an hour and thirty a day are looked at, and one notice tells of them", async () => {
  const { user, app } = await secured();
  const looked = { hour: 0, day: 0 };
  for (let minutes = 0; minutes < 8; minutes++) {
    clock.advance(60);
    const token = await proveFirstFactor(ctx, user);
    const outcomes = await submit(
      Array.from({ length: 12 }, () => ({ token, code: app.wrongCode() })),
    );
    looked.hour += outcomes.filter((each) => each === "wrong-code").length;
  }
  expect(looked.hour).toBe(10);
  looked.day = looked.hour;
  for (let hours = 0; hours < 6; hours++) {
    clock.advance(3_600);
    const token = await proveFirstFactor(ctx, user);
    for (let minutes = 0; minutes < 3; minutes++) {
      clock.advance(60);
      const outcomes = await submit(
        Array.from({ length: 12 }, () => ({ token, code: app.wrongCode() })),
      );
      looked.day += outcomes.filter((each) => each === "wrong-code").length;
    }
  }
  expect(looked.day).toBe(30);
  const told = await ctx.database.query
    .select()
    .from(notices)
    .where(eq(notices.accountId, user.accountId));
  expect(told.filter(({ kind }) => kind === "second-factor-guessed")).toHaveLength(1);
});

test("what was guessed is counted on after a restart, with other windows and without any Redis", async () => {
  const { user, app } = await secured();
  const token = await proveFirstFactor(ctx, user);
  for (let restart = 0; restart < 4; restart++) {
    const fresh = await testContext({ database, beside: here });
    const guess = () =>
      outcomeOf(
        completeSecondStep(fresh.ctx, sentFrom(visitor, origin()), {
          token,
          code: app.wrongCode(),
          previousSession: null,
        }),
      );
    const outcomes = [];
    for (let n = 0; n < 5; n++) outcomes.push(await guess());
    expect(new Set(outcomes)).toEqual(new Set([restart < 2 ? "wrong-code" : "throttled"]));
  }
});

test("turning it on while sign-ins are under way on two instances leaves no session that did not pass it", async () => {
  for (let round = 0; round < 20; round++) {
    clock.advance(60);
    const { accountId, playerId } = await mintUser(ctx);
    const on = ctx.database.query;
    const { token } = await createSession(ctx, on, { accountId, from: browser, proof: "game-key" });
    const user = await readSession(ctx, token, testSource);
    if (!user) throw new Error("The session is not there.");
    const app = authenticatorApp((await beginSecondFactor(ctx, user)).secret, ctx.now);
    const signIn = async (at: number) => {
      const instance = (at % 2 === 0 ? here : elsewhere).ctx;
      const by = sentFrom({ ...visitor, kind: "player" as const, accountId, playerId }, origin());
      return instance.database.transaction((tx) =>
        finishSignIn(instance, tx, { ...by, factor: "game-key", previousSession: null }),
      );
    };
    const [, ...admitted] = await Promise.all([
      confirmSecondFactor(ctx, sentFrom(user, origin()), { code: app.code(), keep: [] }),
      ...Array.from({ length: 6 }, (_, at) => signIn(at)),
    ]);
    expect(await readSession(elsewhere.ctx, token, testSource)).toMatchObject({
      secondFactor: "passed",
    });
    for (const each of admitted)
      if (each.kind === "signed-in")
        expect(await readSession(elsewhere.ctx, each.sessionToken, testSource)).toBeNull();
  }
});
