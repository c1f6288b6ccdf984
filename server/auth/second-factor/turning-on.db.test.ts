import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { notices, sessions } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import {
  enableSecondFactor,
  proveFirstFactor,
  secondFactorWorld,
} from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, testSource } from "#server/testing/world";
import { createSession, readSession } from "../sessions";
import { disableSecondFactor } from "./second-factor-acts";

const world = await testContext({ database: await testDatabase() });
const { ctx, clock } = world;
const on = ctx.database.query;

const { source, complete, secured } = secondFactorWorld(world);

describe("turning it on ends the account's other sessions", () => {
  test("at once, and counts as passed in the one that turned it on", async () => {
    clock.advance(60);
    const { accountId } = await mintUser(ctx);
    const open = () => createSession(ctx, on, { accountId, from: source(), proof: "game-key" });
    const [here, other, third] = [await open(), await open(), await open()];
    const user = await readSession(ctx, here.token, testSource);
    if (!user) throw new Error("The session is not there.");
    await enableSecondFactor(ctx, user);
    expect(await readSession(ctx, here.token, testSource)).toMatchObject({
      secondFactor: "passed",
      confirmedAt: ctx.now(),
    });
    for (const { token } of [other, third])
      expect(await readSession(ctx, token, testSource)).toBeNull();
    const events = await on.select().from(auditLog).where(eq(auditLog.accountId, accountId));
    expect(events).toMatchObject([{ act: "second_factor.enabled", details: { sessionsEnded: 2 } }]);
    const told = await on.select().from(notices).where(eq(notices.accountId, accountId));
    expect(told[0]?.text).toContain("signed out in 2 other browsers");
  });

  test("and a second factor that is set up again is not passed by who passed the one before", async () => {
    const { user, app } = await secured();
    const { sessionToken } = await complete(await proveFirstFactor(ctx, user), app.code());
    expect(await readSession(ctx, sessionToken, testSource)).toMatchObject({
      secondFactor: "passed",
    });
    clock.advance(60);
    await disableSecondFactor(ctx, sentFrom(user, source()), { code: app.code() });
    const here = await readSession(ctx, sessionToken, testSource);
    expect(here).toMatchObject({ secondFactor: "off" });
    if (here) await enableSecondFactor(ctx, { ...user, sessionHash: here.sessionHash });
    await on
      .update(sessions)
      .set({ secondFactorAt: new Date(0) })
      .where(eq(sessions.accountId, user.accountId));
    expect(await readSession(ctx, sessionToken, testSource)).toMatchObject({ secondFactor: "on" });
  });
});
