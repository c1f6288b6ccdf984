import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, gameKeys, proofs, sessions } from "#db/schema/accounts";
import { isFailure } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { passkeyBrowser, passkeyWorld } from "#server/testing/passkeys";
import {
  enableSecondFactor,
  proveFirstFactor,
  secondFactorWorld,
} from "#server/testing/second-factor";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, visitor } from "#server/testing/world";
import { disableSecondFactor } from "../second-factor/second-factor-acts";
import { readSession } from "../sessions";
import { signInWithGameKey } from "../sign-in-with-game-key";
import { removePasskey, showPasskeys, trustPasskey } from "./passkey-acts";
import { askForPasskey } from "./passkey-proof";

const world = await testContext({ database: await testDatabase() });
const { ctx, clock, simulator } = world;
const on = ctx.database.query;
const { withPasskey, actsOf, noticesOf, only } = passkeyWorld(world);
const secondFactor = secondFactorWorld(world);
const { secured } = secondFactor;

describe("signing in with a passkey", () => {
  test("opens a confirmed session, asks for no key and no second factor, and notes the use", async () => {
    const { user, signature, signInWith } = await withPasskey();
    clock.advance(86_400);
    const { sessionToken, user: signed } = signedIn(await signInWith(await signature()));
    expect(await readSession(ctx, sessionToken, signed.from)).toEqual(signed);
    expect(signed).toMatchObject({
      accountId: user.accountId,
      confirmedAt: ctx.now(),
      secondFactor: "off",
    });
    expect((await only(user)).lastUsedAt).toEqual(ctx.now());
    expect(await actsOf(user)).toEqual(["passkey.added", "session.opened"]);
  });

  test("passes the second factor of an account whose owner kept it when that was turned on", async () => {
    const { user, signature, signInWith } = await withPasskey();
    await enableSecondFactor(ctx, user, [(await only(user)).id]);
    const { sessionToken, user: signed } = signedIn(await signInWith(await signature()));
    expect(signed.secondFactor).toBe("passed");
    expect(await readSession(ctx, sessionToken, signed.from)).toEqual(signed);
  });

  test.each([
    ["of another origin", { origin: "https://adjutant.example" }, "passkey-refused"],
    ["for another relying party", { rpId: "adjutant.example" }, "passkey-refused"],
    ["without user verification", { verifiesUser: false }, "passkey-refused"],
    [
      "that says another owner",
      { userHandle: Buffer.from("somebody else").toString("base64url") },
      "passkey-refused",
    ],
    ["that says no owner", { userHandle: null }, "passkey-refused"],
  ])("a signature %s is refused", async (_, behaviour, reason) => {
    const { user, signature, signInWith } = await withPasskey();
    expect(await outcomeOf(signInWith(await signature(behaviour)))).toBe(reason);
    expect(await on.select().from(sessions).where(eq(sessions.accountId, user.accountId))).toEqual(
      [],
    );
  });

  test("a signature that was altered, or is of another passkey, is refused", async () => {
    const { signature, signInWith } = await withPasskey();
    const other = await withPasskey();
    const answer = JSON.parse(await signature());
    const foreign = JSON.parse(await other.signature());
    const mixed = {
      ...answer,
      response: { ...answer.response, signature: foreign.response.signature },
    };
    expect(await outcomeOf(signInWith(JSON.stringify(mixed)))).toBe("passkey-refused");
    const renamed = { ...JSON.parse(await signature()), id: foreign.id, rawId: foreign.id };
    expect(await outcomeOf(signInWith(JSON.stringify(renamed)))).toBe("passkey-refused");
  });

  test("a challenge is used up by a wrong answer too, and is bound to the browser and to five minutes", async () => {
    const { signature, signInWith } = await withPasskey();
    const right = await signature();
    const { response, ...rest } = JSON.parse(right);
    const wrong = JSON.stringify({ ...rest, response: { ...response, signature: "AAAA" } });
    expect(await outcomeOf(signInWith(right, { from: null }))).toBe("passkey-expired");
    expect(await outcomeOf(signInWith(right, { from: passkeyBrowser(ctx).browserId }))).toBe(
      "passkey-expired",
    );
    expect(await outcomeOf(signInWith(wrong))).toBe("passkey-refused");
    expect(await outcomeOf(signInWith(right))).toBe("passkey-expired");
    const late = await signature();
    clock.advance(300);
    expect(await outcomeOf(signInWith(late))).toBe("passkey-expired");
  });

  test("a count that does not grow is a copy: it is refused, and the owner told", async () => {
    const { user, signature, signInWith } = await withPasskey();
    expect(await outcomeOf(signInWith(await signature({ counter: 7 })))).toBe("accepted");
    for (const counter of [7, 3, 0])
      expect(await outcomeOf(signInWith(await signature({ counter })))).toBe("passkey-copied");
    expect(await noticesOf(user)).toContain("passkey-copied");
    expect(await outcomeOf(signInWith(await signature({ counter: 8 })))).toBe("accepted");
  });

  test("a count of more than 31 bits is stored and compared like any other", async () => {
    const { signature, signInWith } = await withPasskey();
    for (const counter of [2 ** 31, 2 ** 32 - 1])
      expect(await outcomeOf(signInWith(await signature({ counter })))).toBe("accepted");
    expect(await outcomeOf(signInWith(await signature({ counter: 2 ** 31 })))).toBe(
      "passkey-copied",
    );
  });

  test("an authenticator that keeps no count says 0 each time", async () => {
    const { signature, signInWith } = await withPasskey();
    for (let time = 0; time < 2; time++)
      expect(await outcomeOf(signInWith(await signature({ counter: 0 })))).toBe("accepted");
  });

  test("a banned account's passkey reads the ban, and opens nothing", async () => {
    const { user, signature, signInWith } = await withPasskey();
    const of = eq(accounts.id, user.accountId);
    await on.update(accounts).set({ bannedAt: ctx.now(), bannedFor: "Selling accounts" }).where(of);
    await expect(signInWith(await signature())).rejects.toMatchObject({
      reason: "banned",
      message: expect.stringContaining("Selling accounts"),
    });
    expect(await on.select().from(sessions).where(eq(sessions.accountId, user.accountId))).toEqual(
      [],
    );
  });

  test("makes no game key valid again", async () => {
    clock.advance(60);
    const tried = {
      gameKey: simulator.demoKeys.member,
      browser: { address: null, userAgent: null },
    };
    const { user } = signedIn(
      await signInWithGameKey(ctx, visitor, { ...tried, previousSession: null }),
    );
    const { add, signature, signInWith } = passkeyBrowser(ctx);
    await add(user);
    const of = eq(gameKeys.accountId, user.accountId);
    await on.update(gameKeys).set({ state: "dead", sealed: null }).where(of);
    const before = await on.select().from(gameKeys).where(of);
    expect(await outcomeOf(signInWith(await signature()))).toBe("accepted");
    expect(await on.select().from(gameKeys).where(of)).toEqual(before);
  });

  test("tries that fail are limited by address, and right ones are not", async () => {
    const { signature, signInWith } = await withPasskey();
    const address = "203.0.113.77";
    const { signInAddress } = ctx.settings.rates;
    for (let time = 0; time <= signInAddress; time++)
      expect(await outcomeOf(signInWith(await signature(), { address }))).toBe("accepted");
    for (let time = 0; time < signInAddress; time++)
      expect(await outcomeOf(signInWith("{}", { address }))).toBe("passkey-refused");
    expect(await outcomeOf(signInWith(await signature(), { address }))).toBe("throttled");
  });
});

test("a challenge is stored by its hash alone", async () => {
  const { browserId } = await withPasskey();
  const asked = { purpose: "sign-in", accountId: null, browserId, address: null } as const;
  const { challenge } = (await askForPasskey(ctx, asked)).options;
  expect(JSON.stringify(await on.select().from(proofs))).not.toContain(challenge);
});

describe("a passkey that was added before the second factor was turned on", () => {
  test("is removed with it, unless its owner keeps it", async () => {
    const { user, signature, signInWith } = await withPasskey();
    const { id } = await only(user);
    const planted = passkeyBrowser(ctx);
    await planted.add(user, "Planted");
    const ready = [await signature(), await planted.signature()] as const;
    await enableSecondFactor(ctx, user, [id]);
    expect(await outcomeOf(planted.signInWith(ready[1]))).toBe("passkey-unknown");
    expect(signedIn(await signInWith(ready[0])).user.secondFactor).toBe("passed");
    expect((await showPasskeys(ctx, user)).passkeys).toMatchObject([{ id, wantsCode: false }]);
  });

  test("counts for nothing more where the second factor was turned off and on again", async () => {
    const { user, signature, signInWith, source } = await withPasskey();
    const { app } = await enableSecondFactor(ctx, user, [(await only(user)).id]);
    await disableSecondFactor(ctx, sentFrom(user, source()), { code: app.code() });
    expect(signedIn(await signInWith(await signature())).user.secondFactor).toBe("off");
    clock.advance(60);
    await enableSecondFactor(ctx, user);
    expect((await showPasskeys(ctx, user)).passkeys).toEqual([]);
  });
});

describe("a passkey that no second factor confirmed", () => {
  /**
   * A stolen session, opened by the game key alone, adds a passkey although the owner has a second
   * factor.
   */
  async function planted() {
    const { user } = await secured();
    const browser = passkeyBrowser(ctx);
    await browser.add(user, "Planted");
    return { user, ...browser };
  }

  test("asks for a code, as a game key does", async () => {
    const { user, signature, signInWith } = await planted();
    expect((await showPasskeys(ctx, user)).passkeys).toMatchObject([{ wantsCode: true }]);
    expect(await signInWith(await signature())).toMatchObject({ kind: "second-step" });
    expect(await on.select().from(sessions).where(eq(sessions.accountId, user.accountId))).toEqual(
      [],
    );
  });

  test("confirms no session", async () => {
    const { user, confirm } = await planted();
    expect(await outcomeOf(confirm(user))).toBe("code-wanted");
  });

  test("stands for both where a session that passed the second factor adds it", async () => {
    const { user, app, complete } = { ...(await secured()), complete: secondFactor.complete };
    const session = await complete(await proveFirstFactor(ctx, user), app.code());
    const browser = passkeyBrowser(ctx);
    await browser.add(session.user, "Mine");
    const { user: signed } = signedIn(await browser.signInWith(await browser.signature()));
    expect(signed.secondFactor).toBe("passed");
  });

  test("stands for both once its owner trusts it, in a session that passed the second factor", async () => {
    const { user, app } = await secured();
    const browser = passkeyBrowser(ctx);
    await browser.add(user, "Mine");
    const { id } = await only(user);
    await expect(trustPasskey(ctx, user, { id })).rejects.toThrow("Sign in again with a code");
    expect(await browser.signInWith(await browser.signature())).toMatchObject({
      kind: "second-step",
    });

    const session = await secondFactor.complete(await proveFirstFactor(ctx, user), app.code());
    const stranger = { ...session.user, accountId: (await mintUser(ctx)).accountId };
    await expect(trustPasskey(ctx, stranger, { id })).rejects.toSatisfy(isFailure);
    await trustPasskey(ctx, session.user, { id });
    expect((await showPasskeys(ctx, user)).passkeys).toMatchObject([{ id, wantsCode: false }]);
    const { user: signed } = signedIn(await browser.signInWith(await browser.signature()));
    expect(signed.secondFactor).toBe("passed");
    expect(await actsOf(user)).toContain("passkey.trusted");
    expect(await noticesOf(user)).toContain("passkey-trusted");
    await removePasskey(ctx, session.user, { id });
    await expect(trustPasskey(ctx, session.user, { id })).rejects.toThrow("removed already");
  });
});
