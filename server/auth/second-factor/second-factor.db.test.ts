import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, notices, proofs, secondFactors, sessions } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { isFailure } from "#server/failures";
import { createKeyring } from "#server/platform/keyring";
import { authenticatorApp } from "#server/testing/authenticator-app";
import { testDatabase } from "#server/testing/database";
import { outcomeOf } from "#server/testing/outcome-of";
import {
  enableSecondFactor,
  proveFirstFactor,
  secondFactorWorld,
} from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, testSource, visitor } from "#server/testing/world";
import { createSession, readSession } from "../sessions";
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewBackupCodes,
  showSecondFactor,
} from "./second-factor-acts";
import { completeSecondStep } from "./second-step";

const world = await testContext({ database: await testDatabase() });
const { ctx, clock, log } = world;
const on = ctx.database.query;

const { source, complete, secured, actsOf } = secondFactorWorld(world);

describe("turning the second factor on", () => {
  test("wants one right code, and gives ten backup codes", async () => {
    const { user, backupCodes: codes } = await secured();
    expect(new Set(codes).size).toBe(10);
    expect(await showSecondFactor(ctx, user)).toEqual({ since: ctx.now(), backupCodesLeft: 10 });
    expect(await actsOf(user)).toEqual(["second_factor.enabled"]);
    expect(
      await on.select().from(notices).where(eq(notices.accountId, user.accountId)),
    ).toHaveLength(1);
  });

  test("asks nothing at sign-in until it is confirmed", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    await beginSecondFactor(ctx, user);
    expect(await showSecondFactor(ctx, user)).toEqual({ since: null, backupCodesLeft: 0 });
    await expect(proveFirstFactor(ctx, user)).rejects.toThrow("No second factor was asked for.");
  });

  test("with a wrong code, or with a code of a secret that was replaced, changes nothing", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    const first = authenticatorApp((await beginSecondFactor(ctx, user)).secret, ctx.now);
    const second = authenticatorApp((await beginSecondFactor(ctx, user)).secret, ctx.now);
    for (const code of [second.wrongCode(), first.code(), "", "ABCDE-FGHJK"])
      expect(
        await outcomeOf(confirmSecondFactor(ctx, sentFrom(user, source()), { code, keep: [] })),
      ).toBe("wrong-code");
    expect(await showSecondFactor(ctx, user)).toMatchObject({ since: null });
    expect(
      await outcomeOf(
        confirmSecondFactor(ctx, sentFrom(user, source()), { code: second.code(), keep: [] }),
      ),
    ).toBe("accepted");
  });

  test("a second time is refused while it is on, and leaves it as it is", async () => {
    const { user, app } = await secured();
    await expect(beginSecondFactor(ctx, user)).rejects.toSatisfy((thrown) => isFailure(thrown));
    expect(
      await outcomeOf(
        confirmSecondFactor(ctx, sentFrom(user, source()), { code: app.code(), keep: [] }),
      ),
    ).toBe("wrong-code");
    const token = await proveFirstFactor(ctx, user);
    expect(await outcomeOf(complete(token, app.code()))).toBe("accepted");
  });

  test("gives a QR code that holds the secret, as an image of our own", async () => {
    clock.advance(60);
    const user = await mintUser(ctx, { name: "Ada <Quill>" });
    const made = await beginSecondFactor(ctx, user);
    expect(made.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(made.uri).searchParams.get("secret")).toBe(made.secret);
    const [head, body = ""] = made.qrCode.split(",");
    expect(head).toBe("data:image/svg+xml;base64");
    expect(Buffer.from(body, "base64").toString()).toMatch(/^<svg/);
  });
});

describe("the second step of a sign-in", () => {
  test("opens the session that the first factor alone did not", async () => {
    const { user, app } = await secured();
    const token = await proveFirstFactor(ctx, user);
    expect(await on.select().from(sessions).where(eq(sessions.accountId, user.accountId))).toEqual(
      [],
    );
    expect(await readSession(ctx, token, testSource)).toBeNull();
    const { sessionToken, user: signedIn } = await complete(token, app.code());
    expect(await readSession(ctx, sessionToken, signedIn.from)).toEqual(signedIn);
    expect(signedIn).toMatchObject({ accountId: user.accountId, authenticatedAt: ctx.now() });
    expect(await actsOf(user)).toEqual([
      "second_factor.enabled",
      "second_factor.requested",
      "session.opened",
    ]);
  });

  test("takes the codes of one step before and after, and none further away", async () => {
    const { user, app } = await secured();
    clock.advance(300);
    for (const [steps, expected] of [
      [-2, "wrong-code"],
      [2, "wrong-code"],
      [-1, "accepted"],
      [0, "accepted"],
      [1, "accepted"],
    ] as const)
      expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), app.code(steps)))).toBe(
        expected,
      );
  });

  test("takes each code once, and none of a step before one that was taken", async () => {
    const { user, app } = await secured();
    clock.advance(300);
    expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), app.code()))).toBe(
      "accepted",
    );
    for (const steps of [0, -1])
      expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), app.code(steps)))).toBe(
        "wrong-code",
      );
    clock.advance(30);
    expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), app.code()))).toBe(
      "accepted",
    );
  });

  test("does not take the code again that turned it on", async () => {
    const { user, app } = await secured();
    expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), app.code(-1)))).toBe(
      "wrong-code",
    );
  });

  test("takes each backup code once, tells the owner, and none of another account", async () => {
    const {
      user,
      backupCodes: [code = ""],
    } = await secured();
    const other = await secured();
    expect(await outcomeOf(complete(await proveFirstFactor(ctx, other.user), code))).toBe(
      "wrong-code",
    );
    expect(
      await outcomeOf(complete(await proveFirstFactor(ctx, user), ` ${code.toLowerCase()} `)),
    ).toBe("accepted");
    expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), code))).toBe("wrong-code");
    expect(await showSecondFactor(ctx, user)).toMatchObject({ backupCodesLeft: 9 });
    const told = await on.select().from(notices).where(eq(notices.accountId, user.accountId));
    expect(told.map(({ kind }) => kind)).toContain("backup-code-used");
  });

  test("is bound to the browser that proved the first factor: a guessed or missing cookie is nobody's", async () => {
    const { app } = await secured();
    for (const token of [null, "", "x", "A".repeat(43)])
      expect(await outcomeOf(complete(token, app.code()))).toBe("second-step-over");
  });

  test("is taken once, and waits ten minutes", async () => {
    const { user, app } = await secured();
    const token = await proveFirstFactor(ctx, user);
    expect(await outcomeOf(complete(token, app.code()))).toBe("accepted");
    expect(await outcomeOf(complete(token, app.code(1)))).toBe("second-step-over");
    const late = await proveFirstFactor(ctx, user);
    clock.advance(599);
    expect(await outcomeOf(complete(late, app.wrongCode()))).toBe("wrong-code");
    clock.advance(1);
    expect(await outcomeOf(complete(late, app.code()))).toBe("second-step-over");
  });

  test("of an account that was banned meanwhile opens nothing", async () => {
    const { user, app } = await secured();
    const token = await proveFirstFactor(ctx, user);
    await on.update(accounts).set({ bannedAt: ctx.now() }).where(eq(accounts.id, user.accountId));
    expect(await outcomeOf(complete(token, app.code()))).toBe("second-step-over");
  });

  test("ends the session that the browser had before, and only when it is done (PT-08)", async () => {
    const { user, app } = await secured();
    const first = await complete(await proveFirstFactor(ctx, user), app.code());
    const previousSession = first.sessionToken;
    const token = await proveFirstFactor(ctx, user, { previousSession });
    expect(await readSession(ctx, previousSession, testSource)).not.toBeNull();
    await complete(token, app.code(1), { previousSession });
    expect(await readSession(ctx, previousSession, testSource)).toBeNull();
  });

  test("goes on after a change of the server secret, with codes of both kinds", async () => {
    const {
      user,
      app,
      backupCodes: [code = ""],
    } = await secured();
    const renewed = {
      ...ctx,
      keyring: createKeyring(["the next server secret", ctx.settings.serverSecret ?? ""]),
    };
    const sent = { previousSession: null };
    const token = await proveFirstFactor(ctx, user);
    await completeSecondStep(renewed, sentFrom(visitor, source()), {
      token,
      code: app.code(),
      ...sent,
    });
    await completeSecondStep(renewed, sentFrom(visitor, source()), {
      token: await proveFirstFactor(renewed, user),
      code,
      ...sent,
    });
    // Its use moved the secret to the new server secret.
    const forgotten = { ...ctx, keyring: createKeyring(["the next server secret"]) };
    const again = await proveFirstFactor(forgotten, user);
    await completeSecondStep(forgotten, sentFrom(visitor, source()), {
      token: again,
      code: app.code(1),
      ...sent,
    });
  });
});

test("a wrong code at the set-up speaks of the app, and of no backup code: there are none yet", async () => {
  const user = await mintUser(ctx);
  const { secret } = await beginSecondFactor(ctx, user);
  const code = authenticatorApp(secret, ctx.now).wrongCode();
  await expect(
    confirmSecondFactor(ctx, sentFrom(user, source()), { code, keep: [] }),
  ).rejects.toMatchObject({
    reason: "wrong-code",
    message: expect.not.stringMatching(/backup/i),
  });
});

describe("turning it off", () => {
  test("§7 row 35: takes a code, and leaves nothing of it, backup codes included", async () => {
    const { user, app } = await secured();
    await proveFirstFactor(ctx, user);
    expect(
      await outcomeOf(
        disableSecondFactor(ctx, sentFrom(user, source()), { code: app.wrongCode() }),
      ),
    ).toBe("wrong-code");
    await disableSecondFactor(ctx, sentFrom(user, source()), { code: app.code() });
    for (const table of [secondFactors, proofs])
      expect(await on.select().from(table).where(eq(table.accountId, user.accountId))).toEqual([]);
    await expect(proveFirstFactor(ctx, user)).rejects.toThrow("No second factor was asked for.");
    expect(await actsOf(user)).toContain("second_factor.disabled");
  });

  test("takes a backup code too", async () => {
    const {
      user,
      backupCodes: [code = ""],
    } = await secured();
    await disableSecondFactor(ctx, sentFrom(user, source()), { code });
    expect(await showSecondFactor(ctx, user)).toMatchObject({ since: null });
  });
});

/** A user with an open session and a fresh second factor, and a backup code. */
async function securedInSession() {
  clock.advance(60);
  const minted = await mintUser(ctx);
  const { accountId } = minted;
  const { sessionHash } = await createSession(ctx, on, {
    accountId,
    from: source(),
    proof: "game-key",
  });
  const user = { ...minted, sessionHash };
  const {
    backupCodes: [old = ""],
  } = await enableSecondFactor(ctx, user);
  return { user, old };
}

test("new backup codes replace all before them", async () => {
  const { user, old } = await securedInSession();
  const {
    backupCodes: [fresh = ""],
  } = await renewBackupCodes(ctx, sentFrom(user, source()));
  expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), old))).toBe("wrong-code");
  expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), fresh))).toBe("accepted");
  expect(await actsOf(user)).toContain("backup_codes.renewed");
});

test("a session that the second factor ended gets no backup codes by a call that was under way", async () => {
  const { user, old } = await securedInSession();
  const ended = { ...user, sessionHash: "ended", secondFactor: "off" } as const;
  expect(await outcomeOf(renewBackupCodes(ctx, sentFrom(ended, source())))).toBe("session-over");
  // Passed a second factor that was set up before this one.
  const { sessionHash } = user;
  const before = new Date(ctx.now().getTime() - 1);
  await on.update(sessions).set({ secondFactorAt: before }).where(eq(sessions.idHash, sessionHash));
  expect(await outcomeOf(renewBackupCodes(ctx, sentFrom(user, source())))).toBe("session-over");
  expect(await outcomeOf(complete(await proveFirstFactor(ctx, user), old))).toBe("accepted");
});

test("nothing of a second factor can be read in tables or log", async () => {
  const { user, secret, backupCodes: codes, app } = await secured();
  const token = await proveFirstFactor(ctx, user);
  await complete(token, app.code());
  const rows = [];
  for (const table of [secondFactors, proofs, auditLog, notices])
    rows.push(await on.select().from(table).where(eq(table.accountId, user.accountId)));
  const stored = JSON.stringify([rows, log.lines], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  for (const text of [secret, token, ...codes, ...codes.map((code) => code.replace("-", ""))])
    expect(stored).not.toContain(text);
});
