import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import { createSession, readSession } from "#server/auth/sessions";
import { signInWithGameKey } from "#server/auth/sign-in-with-game-key";
import { apiPrefix } from "#server/machine-path";
import { answerIntrospection } from "#server/oauth/http";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { testDatabase } from "#server/testing/database";
import {
  basic,
  formRequest,
  mintApplication,
  mintTokens,
  refresh,
} from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource, visitor } from "#server/testing/world";
import { banAccount, showAccount, unbanAccount } from "./accounts";
import { resumeApplication, showAnyApplication, suspendApplication } from "./applications";

const adminIds = [1, 2];
const settings = { tokenCache: true, adminUserIds: adminIds };
const { ctx, clock, simulator } = await testContext({ database: await testDatabase(), settings });
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const [admin, otherAdmin] = await Promise.all(
  adminIds.map(
    async (id): Promise<PortalUser> => ({ ...(await mintUser(ctx, { id })), admin: true }),
  ),
);
if (!admin || !otherAdmin) throw new Error("The admins were not made.");
const reason = "Sold the data of other players.";
const browser = { address: null, userAgent: null };

const callUser = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await dispatch(
    ctx,
    new Request(`http://any.host${apiPrefix}/user`, { headers }),
    testSource,
  );
  return { status: answer.status, said: answer.headers.get("www-authenticate") };
};
const ban = (user: PortalUser) => banAccount(ctx, admin, { accountId: user.accountId, reason });
const unban = (user: PortalUser) => unbanAccount(ctx, admin, { accountId: user.accountId });

describe("a banned account", () => {
  test("BR-16: its tokens are dead at once, and alive again when the ban is lifted", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    const app = await mintApplication(ctx, await mintUser(ctx));
    const { access_token, refresh_token = "" } = await mintTokens(ctx, app, { user });
    const introspect = async () => {
      const form = formRequest(
        "introspect",
        { token: access_token },
        { authorization: basic(app) },
      );
      return (
        (await (await answerIntrospection(ctx, form, testSource)).json()) as { active: boolean }
      ).active;
    };
    expect([(await callUser(access_token)).status, await introspect()]).toEqual([200, true]);
    await ban(user);
    expect(await callUser(access_token)).toMatchObject({
      status: 401,
      said: expect.stringContaining("invalid_token"),
    });
    expect(await introspect()).toBe(false);
    const refused = await refresh(ctx, app, refresh_token);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    await unban(user);
    expect([(await callUser(access_token)).status, await introspect()]).toEqual([200, true]);
    expect((await refresh(ctx, app, refresh_token)).status).toBe(200);
  });

  test("PT-16: its sessions are over at once, and stay so when the ban is lifted", async () => {
    const user = await mintUser(ctx);
    const tokens = await Promise.all(
      ["phone", "library"].map(async () => {
        const { token } = await createSession(ctx, ctx.database.query, {
          accountId: user.accountId,
          from: browser,
          proof: "game-key",
        });
        return token;
      }),
    );
    for (const token of tokens) expect(await readSession(ctx, token, testSource)).not.toBeNull();
    await ban(user);
    for (const token of tokens) expect(await readSession(ctx, token, testSource)).toBeNull();
    await unban(user);
    for (const token of tokens) expect(await readSession(ctx, token, testSource)).toBeNull();
  });

  test("cannot sign in, and reads why; afterwards it can, and finds a notice", async () => {
    const gameKey = simulator.demoKeys.loner;
    const signIn = async () =>
      signedIn(
        await signInWithGameKey(ctx, visitor, {
          gameKey,
          previousSession: null,
        }),
      );
    const { accountId } = (await signIn()).user;
    await banAccount(ctx, admin, { accountId, reason });
    await expect(signIn()).rejects.toMatchObject({
      reason: "banned",
      message: expect.stringContaining(reason),
    });
    await unbanAccount(ctx, admin, { accountId });
    expect(await listOwnNotices(ctx, (await signIn()).user)).toMatchObject([
      { kind: "account-unbanned", readAt: null },
    ]);
  });
});

describe("the applications of a banned developer", () => {
  test("are suspended with the account, and work again with it", async () => {
    clock.advance(60);
    const developer = await mintUser(ctx);
    const app = await mintApplication(ctx, developer);
    const { access_token } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    expect((await callUser(access_token)).status).toBe(200);
    await ban(developer);
    expect((await callUser(access_token)).status).toBe(403);
    const resume = resumeApplication(ctx, admin, { clientId: app.clientId });
    await expect(resume).rejects.toThrow("Its developer is banned.");
    await unban(developer);
    expect((await callUser(access_token)).status).toBe(200);
    const acts = await ctx.database.query
      .select()
      .from(auditLog)
      .where(eq(auditLog.clientId, app.clientId))
      .orderBy(auditLog.id);
    const done = acts.filter(({ act }) => act.startsWith("application.")).map(({ act }) => act);
    expect(done).toEqual(["application.created", "application.suspended", "application.resumed"]);
  });

  test("stay suspended where they had been before, for a reason of their own", async () => {
    clock.advance(60);
    const developer = await mintUser(ctx);
    const { clientId } = await mintApplication(ctx, developer);
    const own = "It asks for more than it says.";
    await suspendApplication(ctx, admin, { clientId, reason: own });
    await ban(developer);
    await unban(developer);
    expect(await showAnyApplication(ctx, clientId)).toMatchObject({
      suspendedFor: own,
      suspendedAt: ctx.now(),
    });
  });
});

test("an admin bans neither himself nor another admin", async () => {
  await expect(ban(admin)).rejects.toThrow("You cannot ban yourself.");
  await expect(ban(otherAdmin)).rejects.toThrow("An admin cannot be banned.");
  expect(await showAccount(ctx, otherAdmin.accountId)).toMatchObject({
    admin: true,
    bannedAt: null,
  });
});

test("an account is banned once and unbanned once; a second admin is told", async () => {
  const user = await mintUser(ctx);
  await expect(unban(user)).rejects.toThrow("not banned");
  await ban(user);
  await expect(ban(user)).rejects.toThrow("banned already");
  await expect(ban({ ...user, accountId: ctx.ids.uuid() })).rejects.toMatchObject({
    name: "UnknownUser",
  });
});

test("each act is in the audit log with who did it, where from and why", async () => {
  const user = await mintUser(ctx);
  await ban(user);
  await unban(user);
  const acts = await ctx.database.query
    .select()
    .from(auditLog)
    .where(eq(auditLog.accountId, user.accountId))
    .orderBy(auditLog.id);
  const where = {
    actor: `account:${admin.accountId}`,
    requestId: "test",
    address: testSource.address,
  };
  expect(acts).toMatchObject([
    { act: "account.banned", ...where, details: { reason, sessions: 0, applications: 0 } },
    { act: "account.unbanned", ...where },
  ]);
});
