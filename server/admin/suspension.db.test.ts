import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import { apiPrefix } from "#server/machine-path";
import { answerIntrospection } from "#server/oauth/http";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  basic,
  formRequest,
  mintApplication,
  mintTokens,
  refresh,
  TestBrowser,
} from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import {
  resumeApplication,
  showAnyApplication,
  suspendApplication,
  verifyApplication,
} from "./applications";

const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { tokenCache: true },
});
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const admin: PortalUser = { ...(await mintUser(ctx)), admin: true };
const owner = await mintUser(ctx);
const reason = "It asks for more than it says.";

/** The answers to an API call, a refresh, an introspection and an authorization request. */
async function world() {
  clock.advance(60);
  const app = await mintApplication(ctx, owner, { name: "Muster Roll" });
  const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  const call = async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const answer = await dispatch(
      ctx,
      new Request(`http://any.host${apiPrefix}/user`, { headers }),
      testSource,
    );
    return [answer.status, ((await answer.json()) as { code?: number }).code];
  };
  const renew = async () => {
    const answer = await refresh(ctx, app, tokens.refresh_token ?? "");
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  const introspect = async () => {
    const form = formRequest(
      "introspect",
      { token: tokens.access_token },
      { authorization: basic(app) },
    );
    return (
      (await (await answerIntrospection(ctx, form, testSource)).json()) as { active?: boolean }
    ).active;
  };
  const authorize = async () =>
    (await new TestBrowser(ctx).authorize(authorizationQuery(app))).status;
  return { app, key: { clientId: app.clientId }, call, renew, introspect, authorize };
}

const events = (clientId: string) =>
  ctx.database.query
    .select()
    .from(auditLog)
    .where(eq(auditLog.clientId, clientId))
    .orderBy(auditLog.id);

describe("a suspended application", () => {
  test("RE-40: is refused at every door at once, and works again as before when it is resumed", async () => {
    const { key, call, renew, introspect, authorize } = await world();
    const alive = [(await call())[0], await introspect(), await authorize()];
    expect(alive).toEqual([200, true, 303]);

    await suspendApplication(ctx, admin, { ...key, reason });
    expect(await call()).toEqual([403, 4009]);
    expect(await renew()).toEqual([400, "unauthorized_client"]);
    expect(await introspect()).toBe(false);
    expect(await authorize()).toBe(400);

    await resumeApplication(ctx, admin, key);
    expect([(await call())[0], await introspect(), await authorize()]).toEqual(alive);
    expect(await renew()).toEqual([200, undefined]);
  });

  test("is told why, in a notice to its developer", async () => {
    const { key } = await world();
    await suspendApplication(ctx, admin, { ...key, reason });
    const [told] = await listOwnNotices(ctx, owner);
    expect(told).toMatchObject({
      kind: "application-suspended",
      text: expect.stringContaining(reason),
      readAt: null,
    });
    clock.advance(1);
    await resumeApplication(ctx, admin, key);
    const [again] = await listOwnNotices(ctx, owner);
    expect(again).toMatchObject({
      kind: "application-resumed",
      text: expect.stringContaining('"Muster Roll"'),
    });
  });

  test("is suspended once and resumed once; a second admin is told", async () => {
    const { key } = await world();
    await expect(resumeApplication(ctx, admin, key)).rejects.toThrow("not suspended");
    await suspendApplication(ctx, admin, { ...key, reason });
    await expect(suspendApplication(ctx, admin, { ...key, reason })).rejects.toThrow("already");
    const unknown = { clientId: "0".repeat(32), reason };
    await expect(suspendApplication(ctx, admin, unknown)).rejects.toMatchObject({
      name: "UnknownOAuthClient",
    });
  });
});

test("each act is in the audit log with who did it, where from and why", async () => {
  const { key } = await world();
  await verifyApplication(ctx, admin, { ...key, version: 1, verified: true, reason });
  // A repetition is no act.
  await verifyApplication(ctx, admin, { ...key, version: 2, verified: true });
  expect((await showAnyApplication(ctx, key.clientId)).verifiedAt).toEqual(ctx.now());
  await verifyApplication(ctx, admin, { ...key, version: 2, verified: false });
  await suspendApplication(ctx, admin, { ...key, reason });
  await resumeApplication(ctx, admin, key);
  const acts = (await events(key.clientId)).filter(
    ({ actor }) => actor === `account:${admin.accountId}`,
  );
  expect(acts.map(({ act }) => act)).toEqual([
    "application.verified",
    "application.unverified",
    "application.suspended",
    "application.resumed",
  ]);
  const where = {
    requestId: testSource.requestId,
    address: testSource.address,
    accountId: owner.accountId,
  };
  for (const event of acts) expect(event).toMatchObject(where);
  for (const index of [0, 2]) expect(acts[index]?.details).toMatchObject({ reason });
});

test("an admin sees owner, users and live grants, and what the developer said", async () => {
  const { key } = await world();
  expect(await showAnyApplication(ctx, key.clientId)).toMatchObject({
    owner: { accountId: owner.accountId, playerId: owner.playerId },
    users: { count: 1, more: false },
    grants: { count: 1, more: false },
    ownerBanned: false,
    privacy: { sharing: "With nobody." },
  });
});
