import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import type { PortalUser } from "#server/actor";
import { authenticatorApp } from "#server/testing/authenticator-app";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { proveFirstFactor, secondFactorWorld } from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, testSource } from "#server/testing/world";
import { confirmByCode } from "../confirmation";
import { createSession, readSession } from "../sessions";
import { beginSecondFactor, confirmSecondFactor, disableSecondFactor } from "./second-factor-acts";

const world = await testContext({ database: await testDatabase() });
const { ctx, clock } = world;
const on = ctx.database.query;

const { source, complete, secured, actsOf } = secondFactorWorld(world);

describe("throttling", () => {
  test("after five wrong codes in a minute no more of the account are looked at, not even right ones", async () => {
    const { user, app } = await secured();
    const token = await proveFirstFactor(ctx, user);
    for (let n = 0; n < 5; n++)
      expect(await outcomeOf(complete(token, app.wrongCode()))).toBe("wrong-code");
    expect(await outcomeOf(complete(token, app.code()))).toBe("throttled");
    clock.advance(60);
    expect(await outcomeOf(complete(token, app.code()))).toBe("accepted");
    const failed = (await actsOf(user)).filter((act) => act === "second_factor.refused");
    expect(failed).toHaveLength(5);
  });

  test("after five wrong codes from an address in a minute it may not try on, for whichever account", async () => {
    const [one, two] = [await secured(), await secured()];
    const from = { requestId: "r", address: "203.0.113.9" };
    const token = await proveFirstFactor(ctx, one.user);
    for (let n = 0; n < 5; n++)
      expect(await outcomeOf(complete(token, one.app.wrongCode(), from))).toBe("wrong-code");
    expect(
      await outcomeOf(complete(await proveFirstFactor(ctx, two.user), two.app.code(), from)),
    ).toBe("throttled");
    expect(await outcomeOf(complete(await proveFirstFactor(ctx, two.user), two.app.code()))).toBe(
      "accepted",
    );
  });

  test("turning it on or off by guessing is held back by the same window", async () => {
    const { user, app } = await secured();
    for (let n = 0; n < 5; n++)
      expect(
        await outcomeOf(
          disableSecondFactor(ctx, sentFrom(user, source()), { code: app.wrongCode() }),
        ),
      ).toBe("wrong-code");
    expect(
      await outcomeOf(disableSecondFactor(ctx, sentFrom(user, source()), { code: app.code() })),
    ).toBe("throttled");
    expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), app.code()))).toBe(
      "throttled",
    );
  });

  test("right codes are not counted", async () => {
    const { user, backupCodes: codes } = await secured();
    const from = { requestId: "r", address: "203.0.113.10" };
    for (const code of codes.slice(0, 7))
      expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), code, from))).toBe(
        "accepted",
      );
  });
});

describe("guesses of a whole hour and a whole day", () => {
  const guessed = (outcomes: readonly string[]) =>
    outcomes.filter((each) => each === "wrong-code").length;
  const guess = async (user: PortalUser, code: string) =>
    outcomeOf(complete(await proveFirstFactor(ctx, user), code));
  /** Wrong codes, five a minute. */
  const guesses = async (user: PortalUser, code: () => string, times: number) => {
    const outcomes: string[] = [];
    const token = await proveFirstFactor(ctx, user);
    for (let n = 0; n < times; n++) {
      if (n % 5 === 0) clock.advance(60);
      outcomes.push(await outcomeOf(complete(token, code())));
    }
    return outcomes;
  };

  test("are ten of an hour: after them not even a right code is looked at, and a sentence says when", async () => {
    const { user, app } = await secured();
    expect(guessed(await guesses(user, app.wrongCode, 15))).toBe(10);
    clock.advance(60);
    const token = await proveFirstFactor(ctx, user);
    const refused = complete(token, app.code()).catch((thrown: unknown) => thrown);
    expect(await refused).toMatchObject({
      reason: "throttled",
      retryAfter: 3_600 - 240 + 60,
      message: expect.stringMatching(
        /Codes of your app are accepted again in 5\d minutes\. A backup code can be used/,
      ),
    });
    clock.advance(3_600);
    expect(await guess(user, app.code())).toBe("accepted");
  });

  test("are thirty of a day, and the next day there are some again", async () => {
    const { user, app } = await secured();
    let looked = 0;
    for (let hour = 0; hour < 5; hour++) {
      looked += guessed(await guesses(user, app.wrongCode, 10));
      clock.advance(3_600);
    }
    expect(looked).toBe(30);
    expect(await guess(user, app.code())).toBe("throttled");
    clock.advance(86_400);
    expect(await guess(user, app.code())).toBe("accepted");
  });

  test("leave the owner's backup codes alone, which are counted for themselves", async () => {
    const { user, app, backupCodes: codes } = await secured();
    await guesses(user, app.wrongCode, 10);
    clock.advance(60);
    expect(await guess(user, app.code())).toBe("throttled");
    expect(await guess(user, codes[0] ?? "")).toBe("accepted");
    expect(guessed(await guesses(user, () => "ABCDE-FGHJK", 12))).toBe(10);
    clock.advance(60);
    expect(await guess(user, codes[1] ?? "")).toBe("throttled");
    expect(await guess(user, app.code())).toBe("accepted");
  });

  test("start over after a right code", async () => {
    const { user, app } = await secured();
    await guesses(user, app.wrongCode, 9);
    clock.advance(60);
    expect(await guess(user, app.code())).toBe("accepted");
    expect(guessed(await guesses(user, app.wrongCode, 12))).toBe(10);
  });

  test("are the same for a confirmation and for turning it off, and end no session", async () => {
    const { user, app } = await secured();
    await guesses(user, app.wrongCode, 10);
    clock.advance(60);
    const { token } = await createSession(ctx, on, {
      accountId: user.accountId,
      from: source(),
      proof: "chat",
    });
    const here = (await readSession(ctx, token, testSource)) ?? user;
    expect(
      await outcomeOf(confirmByCode(ctx, sentFrom(here, source()), { code: app.code() })),
    ).toBe("throttled");
    expect(
      await outcomeOf(disableSecondFactor(ctx, sentFrom(here, source()), { code: app.code() })),
    ).toBe("throttled");
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
  });

  test("are not used up by what is no code, by steps that are over, and while setting up", async () => {
    const { user, app } = await secured();
    await guesses(user, () => "12345", 12);
    for (let n = 0; n < 12; n++) {
      clock.advance(60);
      expect(await outcomeOf(complete("A".repeat(43), app.wrongCode()))).toBe("second-step-over");
    }
    expect(guessed(await guesses(user, app.wrongCode, 10))).toBe(10);
    const newcomer = await mintUser(ctx);
    const { secret } = await beginSecondFactor(ctx, newcomer);
    const theirs = authenticatorApp(secret, ctx.now);
    for (let n = 0; n < 12; n++) {
      clock.advance(60);
      const sent = { code: theirs.wrongCode(), keep: [], origin: source() };
      expect(await outcomeOf(confirmSecondFactor(ctx, newcomer, sent))).toBe("wrong-code");
    }
    const sent = { code: theirs.code(), keep: [], origin: source() };
    expect(await outcomeOf(confirmSecondFactor(ctx, newcomer, sent))).toBe("accepted");
  });

  test("leave one notice after the fifth in a row, of both kinds together, and another after a right code between", async () => {
    const { user, app } = await secured();
    const told = async () => {
      const all = await on.select().from(notices).where(eq(notices.accountId, user.accountId));
      return all.filter(({ kind }) => kind === "second-factor-guessed").length;
    };
    await guesses(user, app.wrongCode, 2);
    await guesses(user, () => "ABCDE-FGHJK", 2);
    expect(await told()).toBe(0);
    await guesses(user, app.wrongCode, 1);
    expect(await told()).toBe(1);
    await guesses(user, app.wrongCode, 7);
    await guesses(user, () => "ABCDE-FGHJK", 8);
    expect(await told()).toBe(1);
    clock.advance(86_400);
    expect(await guess(user, app.code())).toBe("accepted");
    await guesses(user, app.wrongCode, 6);
    expect(await told()).toBe(2);
  });
});
