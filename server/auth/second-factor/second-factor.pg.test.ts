import { expect, test } from "vitest";
import { authenticatorApp } from "#server/testing/authenticator-app";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { enableSecondFactor, proveFirstFactor } from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { beginSecondFactor } from "./begin-second-factor";
import { completeSecondStep } from "./complete-second-step";
import { confirmSecondFactor } from "./confirm-second-factor";
import { showSecondFactor } from "./show-second-factor";

const database = await testDatabase();
const here = await testContext({ database });
/** Another instance of the server on the same database, with windows of its own. */
const elsewhere = await testContext({ database, beside: here });
const { ctx, clock } = here;
const browser = { address: "192.0.2.7", userAgent: "Firefox" };

let addresses = 0;
const origin = () => ({ requestId: "r", address: `198.51.100.${addresses++}` });
const tally = (outcomes: readonly string[]) => ({
  accepted: outcomes.filter((each) => each === "accepted").length,
  refused: outcomes.filter((each) => each !== "accepted").length,
});

/** As many tries as the windows of two instances let through, at once, half of them at each. */
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
        completeSecondStep((at % 2 === 0 ? here : elsewhere).ctx, {
          token,
          code,
          browser,
          previousSession: null,
          origin: origin(),
        }),
      ),
    ),
  );

test("one code submitted by many browsers at once, on two instances, signs in exactly one", async () => {
  const { user, app } = await secured();
  const tokens = [];
  for (let n = 0; n < mostAtOnce; n++) tokens.push(await proveFirstFactor(ctx, user));
  const outcomes = await submit(tokens.map((token) => ({ token, code: app.code() })));
  expect(tally(outcomes)).toEqual({ accepted: 1, refused: mostAtOnce - 1 });
});

test("one backup code submitted by many browsers at once signs in exactly one", async () => {
  const {
    user,
    backupCodes: [code = ""],
  } = await secured();
  const tokens = [];
  for (let n = 0; n < mostAtOnce; n++) tokens.push(await proveFirstFactor(ctx, user));
  const outcomes = await submit(tokens.map((token) => ({ token, code })));
  expect(tally(outcomes)).toEqual({ accepted: 1, refused: mostAtOnce - 1 });
  expect(await showSecondFactor(ctx, user)).toMatchObject({ backupCodesLeft: 9 });
});

test("one second step finished with many right codes at once opens one session and uses up one code", async () => {
  const { user, backupCodes } = await secured();
  const token = await proveFirstFactor(ctx, user);
  const outcomes = await submit(backupCodes.map((code) => ({ token, code })));
  expect(tally(outcomes)).toEqual({ accepted: 1, refused: backupCodes.length - 1 });
  expect(await showSecondFactor(ctx, user)).toMatchObject({ backupCodesLeft: 9 });
});

test("of many guesses at once no more than five on an instance are looked at", async () => {
  const { user, app } = await secured();
  const token = await proveFirstFactor(ctx, user);
  const tries = Array.from({ length: 40 }, () =>
    outcomeOf(
      completeSecondStep(ctx, { token, code: app.wrongCode(), browser, previousSession: null, origin: origin() }),
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
  const confirm = () => outcomeOf(confirmSecondFactor(ctx, user, { code: app.code(), origin: origin() }));
  expect(tally(await Promise.all([confirm(), confirm(), confirm()]))).toEqual({ accepted: 1, refused: 2 });
  expect(await showSecondFactor(ctx, user)).toMatchObject({ backupCodesLeft: 10 });
});
