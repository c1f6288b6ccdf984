import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { passkeys } from "#db/schema/accounts";
import { exportAccount } from "#server/account/account-acts";
import { createOperator } from "#server/actor";
import { isFailure } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import { passkeyBrowser, passkeyWorld } from "#server/testing/passkeys";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, testSource } from "#server/testing/world";
import { resetSecondFactor } from "../second-factor/second-factor-acts";
import { readSession } from "../sessions";
import {
  addPasskey,
  beginPasskeyRegistration,
  maxPasskeys,
  removePasskey,
  renamePasskey,
  showPasskeys,
} from "./passkey-acts";
import { askForPasskey, relyingPartyOf } from "./passkey-proof";

const world = await testContext({ database: await testDatabase() });
const { ctx, clock } = world;
const on = ctx.database.query;
const { withPasskey, actsOf, noticesOf, only, sessionOf } = passkeyWorld(world);

describe("adding a passkey", () => {
  test("stores its public half, tells the owner, and leaves other sessions alone", async () => {
    const user = await mintUser(ctx);
    const { token } = await sessionOf(user);
    await passkeyBrowser(ctx).add(user, "My phone");
    expect(await showPasskeys(ctx, user)).toEqual({
      offered: true,
      most: maxPasskeys,
      passkeys: [
        {
          id: expect.any(String),
          name: "My phone",
          backedUp: true,
          createdAt: ctx.now(),
          address: expect.any(String),
          userAgent: "Firefox",
          confirmedAt: null,
          lastUsedAt: null,
          wantsCode: false,
        },
      ],
    });
    expect(await actsOf(user)).toEqual(["passkey.added"]);
    expect(await noticesOf(user)).toEqual(["passkey-added"]);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
  });

  test.each([
    ["of another origin", { origin: "https://adjutant.example" }, "passkey-refused"],
    ["for another relying party", { rpId: "adjutant.example" }, "passkey-refused"],
    [
      "of an authenticator that did not verify the user",
      { verifiesUser: false },
      "passkey-refused",
    ],
  ])("%s is refused", async (_, behaviour, reason) => {
    const user = await mintUser(ctx);
    expect(await outcomeOf(passkeyBrowser(ctx).add(user, "x", behaviour))).toBe(reason);
    expect((await showPasskeys(ctx, user)).passkeys).toEqual([]);
  });

  test("takes each challenge once, for the account and the browser that asked, within five minutes", async () => {
    const [user, other] = [await mintUser(ctx), await mintUser(ctx)];
    const { authenticator, browserId, source } = passkeyBrowser(ctx);
    const begin = async () =>
      authenticator.create({
        ...(await beginPasskeyRegistration(ctx, user, { browserId })).options,
        excludeCredentials: [],
      });
    const add = (answer: string, as = user, from: string | null = browserId) =>
      outcomeOf(
        addPasskey(ctx, sentFrom(as, source()), {
          answer,
          name: "x",
          browserId: from,
        }),
      );
    const answer = await begin();
    expect(await add(answer, other)).toBe("passkey-expired");
    expect(await add(answer, user, passkeyBrowser(ctx).browserId)).toBe("passkey-expired");
    expect(await add(answer, user, null)).toBe("passkey-expired");
    expect(await add(answer)).toBe("accepted");
    expect(await add(answer)).toBe("passkey-expired");
    const late = await begin();
    clock.advance(300);
    expect(await add(late)).toBe("passkey-expired");
    expect((await showPasskeys(ctx, user)).passkeys).toHaveLength(1);
  });

  test("an answer to a challenge of a sign-in is refused, and the other way round", async () => {
    const { user, authenticator, browserId, source, signInWith } = await withPasskey();
    const asked = { accountId: null, browserId, address: null } as const;
    const { options } = await askForPasskey(ctx, { ...asked, purpose: "sign-in" });
    const made = authenticator.create({ ...options, user: { id: "" } });
    expect(
      await outcomeOf(
        addPasskey(ctx, sentFrom(user, source()), {
          answer: made,
          name: "x",
          browserId,
        }),
      ),
    ).toBe("passkey-expired");
    const registration = await beginPasskeyRegistration(ctx, user, { browserId });
    expect(
      await outcomeOf(signInWith(authenticator.get({ challenge: registration.options.challenge }))),
    ).toBe("passkey-expired");
  });

  test("excludes those of the account, refuses one that is stored, and stops at twenty", async () => {
    const { user, browserId } = await withPasskey();
    const [stored] = await on.select().from(passkeys).where(eq(passkeys.accountId, user.accountId));
    const { options } = await beginPasskeyRegistration(ctx, user, { browserId });
    expect(options.excludeCredentials).toEqual([
      { id: stored?.credentialId, type: "public-key", transports: ["internal", "hybrid"] },
    ]);
    expect(options.authenticatorSelection).toMatchObject({
      residentKey: "required",
      userVerification: "required",
    });
    expect(options.rp).toEqual({ id: "localhost", name: "Adjutant" });

    const other = await mintUser(ctx);
    const begun = await beginPasskeyRegistration(ctx, other, { browserId });
    const twin = passkeyBrowser(ctx).authenticator.create(begun.options);
    await on
      .update(passkeys)
      .set({ credentialId: JSON.parse(twin).id })
      .where(eq(passkeys.accountId, user.accountId));
    await expect(
      addPasskey(ctx, other, {
        answer: twin,
        name: "x",
        browserId,
      }),
    ).rejects.toSatisfy(isFailure);

    clock.advance(60);
    for (let held = 1; held < maxPasskeys; held++)
      await passkeyBrowser(ctx).add(user, `Number ${held + 1}`);
    await expect(passkeyBrowser(ctx).add(user)).rejects.toSatisfy(isFailure);
    expect((await showPasskeys(ctx, user)).passkeys).toHaveLength(maxPasskeys);
  });

  test.each([
    "",
    "{}",
    "null",
    "[]",
    '{"id":1}',
    '{"id":"a","rawId":"a","type":"public-key","response":{}}',
  ])("what is no answer is refused: %s", async (answer) => {
    const user = await mintUser(ctx);
    const given = { answer, name: "x", browserId: null };
    expect(await outcomeOf(addPasskey(ctx, user, given))).toBe("passkey-refused");
  });
});

describe("the list of passkeys", () => {
  test("a passkey is renamed and removed by its owner alone", async () => {
    const { user } = await withPasskey();
    const stranger = await mintUser(ctx);
    const { id } = await only(user);
    await expect(renamePasskey(ctx, stranger, { id, name: "Mine" })).rejects.toSatisfy(isFailure);
    await expect(removePasskey(ctx, stranger, { id })).rejects.toSatisfy(isFailure);
    await renamePasskey(ctx, user, { id, name: "Yellow key" });
    expect(await only(user)).toMatchObject({ id, name: "Yellow key" });
  });

  test("a removed passkey opens nothing, and the sessions that it may have opened are over", async () => {
    const { user, signature, signInWith } = await withPasskey();
    const here = await sessionOf(user);
    const { sessionToken: elsewhere } = signedIn(await signInWith(await signature()));
    const answer = await signature();
    const { id } = await only(user);
    expect(await removePasskey(ctx, here.user, { id })).toEqual({
      sessionsEnded: 1,
    });
    expect(await readSession(ctx, elsewhere, testSource)).toBeNull();
    expect(await readSession(ctx, here.token, testSource)).not.toBeNull();
    expect(await outcomeOf(signInWith(answer))).toBe("passkey-unknown");
    expect(await actsOf(user)).toContain("passkey.removed");
    expect(await noticesOf(user)).toContain("passkey-removed");
    await expect(removePasskey(ctx, here.user, { id })).rejects.toSatisfy(isFailure);
  });

  test("an admin's reset of the second factor removes the passkeys too, also where they are all there is", async () => {
    const { user, signature, signInWith } = await withPasskey();
    const answer = await signature();
    await resetSecondFactor(ctx, createOperator(ctx), {
      accountId: user.accountId,
      reason: "Taken over",
    });
    expect((await showPasskeys(ctx, user)).passkeys).toEqual([]);
    expect(await outcomeOf(signInWith(answer))).toBe("passkey-unknown");
  });

  test("the export names the passkeys, and neither the key nor what the authenticator calls it", async () => {
    const { user } = await withPasskey();
    const [stored] = await on.select().from(passkeys).where(eq(passkeys.accountId, user.accountId));
    const { json } = await exportAccount(ctx, user);
    expect(JSON.parse(json).passkeys).toMatchObject([{ name: "My phone", backedUp: true }]);
    for (const secret of [stored?.publicKey, stored?.credentialId])
      expect(json).not.toContain(secret);
  });
});

test.each([
  ["https://adjutant.example", "adjutant.example"],
  ["http://localhost:3000", "localhost"],
  ["http://127.0.0.1:3000", undefined],
  ["http://[::1]:3000", undefined],
])("passkeys of %s are made for %s", (baseUrl, id) => {
  expect(relyingPartyOf(baseUrl)?.id).toBe(id);
});
