import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { passkeyBrowser, passkeyWorld } from "#server/testing/passkeys";
import { enableSecondFactor } from "#server/testing/second-factor";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { sentFrom, testSource, visitor } from "#server/testing/world";
import { confirmByGameKey, isConfirmed } from "../confirmation";
import { readSession } from "../sessions";
import { signInWithGameKey } from "../sign-in-with-game-key";
import { askForPasskey, confirmByPasskey } from "./passkey-proof";

const world = await testContext({ database: await testDatabase() });
const { ctx, clock, simulator } = world;
const { withPasskey, actsOf, noticesOf, sessionOf, only } = passkeyWorld(world);

describe("confirming by a passkey", () => {
  test("confirms this session alone, and passes the second factor in it", async () => {
    const { user, confirm } = await withPasskey();
    await enableSecondFactor(ctx, user, [(await only(user)).id]);
    const [here, elsewhere] = [await sessionOf(user, "chat"), await sessionOf(user, "chat")];
    expect(isConfirmed(ctx, here.user)).toBe(false);
    await confirm(here.user);
    expect(await readSession(ctx, here.token, testSource)).toMatchObject({
      confirmedAt: ctx.now(),
      secondFactor: "passed",
    });
    expect(await readSession(ctx, elsewhere.token, testSource)).toMatchObject({
      confirmedAt: null,
      secondFactor: "on",
    });
    expect(await actsOf(user)).toContain("confirmation.accepted");
  });

  test("another player's passkey confirms nothing", async () => {
    const { user, browserId, source } = await withPasskey();
    const stranger = await withPasskey();
    const asked = {
      purpose: "confirmation",
      accountId: user.accountId,
      browserId,
      address: null,
    } as const;
    const { challenge } = (await askForPasskey(ctx, asked)).options;
    const session = await sessionOf(user, "chat");
    for (const userHandle of [undefined, null, Buffer.from(user.accountId).toString("base64url")]) {
      const { challenge: fresh } = (await askForPasskey(ctx, asked)).options;
      const answer = stranger.authenticator.get(
        { challenge: fresh },
        userHandle === undefined ? {} : { userHandle },
      );
      const by = sentFrom(session.user, source());
      expect(await outcomeOf(confirmByPasskey(ctx, by, { answer, browserId }))).toMatch(
        /^passkey-(of-another|refused)$/,
      );
    }
    expect(challenge).toMatch(/^[\w-]{43}$/);
    expect((await readSession(ctx, session.token, testSource))?.confirmedAt).toBeNull();
    expect(await actsOf(user)).toContain("confirmation.refused");
  });

  test("a copy of the passkey confirms nothing, and the owner is told", async () => {
    const { user, confirm } = await withPasskey();
    const session = await sessionOf(user, "chat");
    for (const outcome of ["accepted", "passkey-copied"])
      expect(await outcomeOf(confirm(session.user, { counter: 7 }))).toBe(outcome);
    expect(await noticesOf(user)).toContain("passkey-copied");
  });

  test("an answer to a challenge for a sign-in confirms nothing", async () => {
    const { user, browserId, signature } = await withPasskey();
    const given = { answer: await signature(), browserId };
    expect(await outcomeOf(confirmByPasskey(ctx, user, given))).toBe("passkey-expired");
  });

  test("an account with passkeys and no second factor still confirms by its game key", async () => {
    clock.advance(60);
    const tried = {
      gameKey: simulator.demoKeys.banker,
      browser: { address: null, userAgent: null },
    };
    const { user } = signedIn(
      await signInWithGameKey(ctx, visitor, { ...tried, previousSession: null }),
    );
    await passkeyBrowser(ctx).add(user);
    expect(await outcomeOf(confirmByGameKey(ctx, user, { gameKey: tried.gameKey }))).toBe(
      "accepted",
    );
  });
});
