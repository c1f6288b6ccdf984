import { describe, expect, test } from "vitest";
import { sessionCookieName } from "#server/auth/cookies";
import { csrfTokenFor } from "#server/auth/csrf";
import { createSession } from "#server/auth/sessions";
import { authenticatorApp } from "#server/testing/authenticator-app";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { portalScript } from "#server/testing/portal-script";
import { enableSecondFactor } from "#server/testing/second-factor";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { adminRouter, operationsRouter } from "./admin";
import { portalRouter } from "./router";

const settings = { adminUserIds: [1, 2] };
const { ctx, clock } = await testContext({ database: await testDatabase(), settings });
const { signedIn, query, mutate, send } = portalScript(ctx, portalRouter);
const admin = await mintUser(ctx, { id: 1 });
const { app: authenticator } = await enableSecondFactor(ctx, admin);
const app = await mintApplication(ctx, await mintUser(ctx), { name: "Muster Roll" });
const banned = await mintUser(ctx, { name: "Mallory" });
const procedures = Object.entries({ admin: adminRouter, operations: operationsRouter }).flatMap(
  ([noun, router]) =>
    Object.entries(router._def.procedures).map(
      ([name, { _def }]) => [`${noun}.${name}`, _def.type] as const,
    ),
);

async function adminBrowser(
  proof: "game-key" | "second-factor" = "second-factor",
  { accountId } = admin,
) {
  const { token, sessionHash } = await createSession(ctx, ctx.database.query, {
    accountId,
    from: testSource,
    proof,
  });
  return {
    cookie: `${sessionCookieName(false)}=${token}`,
    "x-csrf-token": csrfTokenFor(ctx.keyring, sessionHash),
  };
}

const ask = (name: string, type: string, headers: Record<string, string>, input?: unknown) =>
  type === "query" ? query(name, headers, input) : mutate(name, headers, input);

describe.each(procedures)("%s (%s)", (name, type) => {
  test("looks to others like a procedure that does not exist, whatever they send", async () => {
    const { headers } = await signedIn();
    const shape = async (path: string, input: unknown) => {
      const { status, error } = await ask(path, type, headers, input);
      return {
        status,
        message: error?.message,
        data: { ...error?.data, path: null, requestId: null },
      };
    };
    const nothing = await shape("admin.nothing", undefined);
    expect(nothing.status).toBe(404);
    for (const input of [
      undefined,
      { clientId: app.clientId, accountId: banned.accountId, reason: "x" },
      7,
    ])
      expect(await shape(name, input)).toEqual(nothing);
  });

  test("looks the same to those who are not signed in", async () => {
    const { status, error } = await query(type === "query" ? name : "admin.nothing");
    expect([status, error?.message]).toEqual([404, "There is no such procedure."]);
  });
});

test.each(procedures.filter(([, type]) => type === "mutation"))(
  "%s wants a confirmation",
  async (name) => {
    const headers = await adminBrowser();
    clock.advance(7_200);
    const { status, error } = await mutate(name, headers, {});
    expect([status, error?.data.reason]).toEqual([403, "CONFIRMATION_WANTED"]);
  },
);

test.each(procedures)(
  "admin.%s (%s) wants a session that passed the second factor",
  async (name, type) => {
    const headers = await adminBrowser("game-key");
    const refused = await ask(name, type, headers, {});
    expect([refused.status, refused.error?.data.reason]).toEqual([403, "SECOND_FACTOR_WANTED"]);
  },
);

test("an admin whose session has not passed the second factor passes it by a confirmation", async () => {
  const headers = await adminBrowser("game-key");
  const asked = () => query("admin.accounts", headers, {});
  expect((await asked()).status).toBe(403);
  expect(
    (await mutate("confirmation.withCode", headers, { code: authenticator.code() })).status,
  ).toBe(200);
  expect((await asked()).status).toBe(200);
});

test("an admin without a second factor is refused until it is set up, in this session and in no other", async () => {
  const other = await mintUser(ctx, { id: 2 });
  const [here, elsewhere] = [
    await adminBrowser("game-key", other),
    await adminBrowser("game-key", other),
  ];
  const asked = async (headers: Record<string, string>) =>
    (await query("admin.accounts", headers, {})).status;
  expect(await asked(here)).toBe(403);
  const { data } = await mutate("secondFactor.begin", here);
  const app = authenticatorApp((data as { secret: string }).secret, ctx.now);
  expect(
    (await mutate("secondFactor.confirm", here, { code: app.code(-1), keep: [] })).status,
  ).toBe(200);
  expect(await asked(here)).toBe(200);
  expect(await asked(elsewhere)).toBe(404);
  expect((await mutate("secondFactor.disable", here, { code: app.code() })).status).toBe(200);
  expect(await asked(here)).toBe(403);
});

test("where the setting waives it, an admin's session needs no second factor", async () => {
  const waived = { ...ctx, settings: { ...ctx.settings, adminSecondFactor: "waived" as const } };
  const request = new Request(`${ctx.settings.baseUrl}/api/trpc/operations.system`, {
    headers: await adminBrowser("game-key"),
  });
  expect((await send(request, waived)).status).toBe(200);
});

test("an admin finds an application by its name, its owner's name and number, and its id", async () => {
  const headers = await adminBrowser();
  const found = async (search: string) => {
    const { data } = await query("admin.applications", headers, { search });
    return (data as { rows: { clientId: string }[] }).rows.map(({ clientId }) => clientId);
  };
  const { owner } = (await query("admin.application", headers, { clientId: app.clientId }))
    .data as {
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
  expect(
    (await mutate("admin.banAccount", headers, { ...input, reason: "Two\nlines" })).status,
  ).toBe(400);
  expect(
    (await mutate("admin.banAccount", headers, { ...input, reason: "Sold data." })).status,
  ).toBe(200);
  expect(await found()).toMatchObject([{ ...input, bannedFor: "Sold data.", bannedAt: ctx.now() }]);
  expect((await query("admin.accounts", headers, { state: "banned" })).data).toMatchObject({
    rows: [input],
  });
  expect((await mutate("admin.unbanAccount", headers, input)).status).toBe(200);
  expect(await found()).toMatchObject([{ ...input, bannedAt: null, bannedFor: null }]);
});

test("an admin sees what readiness says, and the audit log", async () => {
  const headers = await adminBrowser();
  expect((await query("operations.system", headers)).data).toMatchObject({
    status: "ready",
    jobs: expect.any(Array),
  });
  const { data } = await query("operations.audit", headers, { clientId: app.clientId });
  expect(data).toMatchObject({
    events: [{ act: "application.created", application: "Muster Roll" }],
    next: null,
  });
});
