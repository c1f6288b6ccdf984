import { describe, expect, test } from "vitest";
import { sessionCookieName } from "#server/auth/cookies";
import { csrfToken } from "#server/auth/csrf";
import { openSession } from "#server/auth/sessions";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { portalScript } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { adminRouter } from "./admin";

const settings = { adminUserIds: [1] };
const { ctx, clock } = await testContext({ database: await testDatabase(), settings });
const { signedIn, query, mutate } = portalScript(ctx);
const { accountId } = await mintUser(ctx, { id: 1 });
const app = await mintApplication(ctx, await mintUser(ctx), { name: "Muster Roll" });
const banned = await mintUser(ctx, { name: "Mallory" });
const procedures = Object.entries(adminRouter._def.procedures).map(([name, { _def }]) => [name, _def.type] as const);

/** The admin's browser, signed in at this moment. */
async function adminBrowser() {
  const { token, sessionHash } = await openSession(ctx, ctx.database.query, {
    accountId,
    browser: { address: null, userAgent: null },
  });
  return { cookie: `${sessionCookieName(false)}=${token}`, "x-csrf-token": csrfToken(ctx.keyring, sessionHash) };
}

const ask = (name: string, type: string, headers: Record<string, string>, input?: unknown) =>
  type === "query" ? query(name, headers, input) : mutate(name, headers, input);

describe.each(procedures)("admin.%s (%s)", (name, type) => {
  test("looks to others like a procedure that does not exist, whatever they send", async () => {
    const { headers } = await signedIn();
    const shape = async (path: string, input: unknown) => {
      const { status, error } = await ask(path, type, headers, input);
      return { status, message: error?.message, data: { ...error?.data, path: null, requestId: null } };
    };
    const nothing = await shape("admin.nothing", undefined);
    expect(nothing.status).toBe(404);
    for (const input of [undefined, { clientId: app.clientId, accountId: banned.accountId, reason: "x" }, 7])
      expect(await shape(`admin.${name}`, input)).toEqual(nothing);
  });

  test("looks the same to those who are not signed in", async () => {
    const { status, error } = await query(`admin.${type === "query" ? name : "nothing"}`);
    expect([status, error?.message]).toEqual([404, "There is no such procedure."]);
  });
});

test.each(procedures.filter(([, type]) => type === "mutation"))("admin.%s wants a fresh sign-in", async (name) => {
  const headers = await adminBrowser();
  clock.advance(901);
  const { status, error } = await mutate(`admin.${name}`, headers, {});
  expect([status, error?.data.reason]).toEqual([403, "SIGN_IN_STALE"]);
});

test("an admin finds an application by its name, its owner's name and number, and its id", async () => {
  const headers = await adminBrowser();
  const found = async (search: string) => {
    const { data } = await query("admin.applications", headers, { search });
    return (data as { rows: { clientId: string }[] }).rows.map(({ clientId }) => clientId);
  };
  const { owner } = (await query("admin.application", headers, { clientId: app.clientId })).data as {
    owner: { playerId: number; name: string };
  };
  for (const search of ["muster", app.clientId, String(owner.playerId), owner.name])
    expect(await found(search)).toEqual([app.clientId]);
  for (const search of ["100%", "_uster", "mustard"]) expect(await found(search)).toEqual([]);
});

test("an admin finds an account, bans it with a reason, and lifts the ban", async () => {
  const headers = await adminBrowser();
  const input = { accountId: banned.accountId };
  const found = async () => {
    const { data } = await query("admin.accounts", headers, { search: "mallory" });
    return (data as { rows: unknown[] }).rows;
  };
  expect((await mutate("admin.banAccount", headers, { ...input, reason: " " })).status).toBe(400);
  expect((await mutate("admin.banAccount", headers, { ...input, reason: "Two\nlines" })).status).toBe(400);
  expect((await mutate("admin.banAccount", headers, { ...input, reason: "Sold data." })).status).toBe(200);
  expect(await found()).toMatchObject([{ ...input, bannedFor: "Sold data.", bannedAt: ctx.now() }]);
  expect((await query("admin.accounts", headers, { state: "banned" })).data).toMatchObject({ rows: [input] });
  expect((await mutate("admin.unbanAccount", headers, input)).status).toBe(200);
  expect(await found()).toMatchObject([{ ...input, bannedAt: null, bannedFor: null }]);
});

test("an admin sees what readiness says, and the audit log", async () => {
  const headers = await adminBrowser();
  expect((await query("admin.system", headers)).data).toMatchObject({ status: "ready", jobs: expect.any(Array) });
  const { data } = await query("admin.audit", headers, { clientId: app.clientId });
  expect(data).toMatchObject({ events: [{ act: "application-created", application: "Muster Roll" }], next: null });
});
