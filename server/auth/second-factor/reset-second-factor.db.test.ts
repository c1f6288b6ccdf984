import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { listOwnNotices } from "#server/testing/own-notices";
import { enableSecondFactor } from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { createSession, readSession } from "../sessions";
import { readSecondFactorStatus, resetSecondFactor } from "./second-factor-acts";

const { ctx } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;
const admin = { ...(await mintUser(ctx)), admin: true };
const browser = { address: null, userAgent: null };
const reason = "Lost phone and codes, asked by a message in the game.";

test("an admin's reset takes factor and codes, ends all sessions, is audited and told", async () => {
  const user = await mintUser(ctx);
  await enableSecondFactor(ctx, user);
  const { token } = await createSession(ctx, on, {
    accountId: user.accountId,
    from: browser,
    proof: "second-factor",
  });
  const { accountId } = user;
  await resetSecondFactor(ctx, admin, { accountId, reason });
  expect(await readSecondFactorStatus(on, accountId)).toEqual({ secondFactor: false, passkeys: 0 });
  expect(await readSession(ctx, token, testSource)).toBeNull();
  const events = await on.select().from(auditLog).where(eq(auditLog.act, "second_factor.reset"));
  expect(events).toMatchObject([
    { accountId, actor: `account:${admin.accountId}`, details: { reason, sessions: 1 } },
  ]);
  expect((await listOwnNotices(ctx, user)).map(({ kind }) => kind)).toContain(
    "second-factor-reset",
  );
});

test("an account without a second factor keeps its sessions", async () => {
  const user = await mintUser(ctx);
  const { token } = await createSession(ctx, on, {
    accountId: user.accountId,
    from: browser,
    proof: "game-key",
  });
  const reset = resetSecondFactor(ctx, admin, { accountId: user.accountId, reason });
  await expect(reset).rejects.toMatchObject({ name: "GeneralError" });
  expect(await readSession(ctx, token, testSource)).not.toBeNull();
});
