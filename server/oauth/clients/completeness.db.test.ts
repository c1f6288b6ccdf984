import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintVisitor,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { resumeRequest } from "../authorize/start-authorization";
import { openToPlayers, registerApplication, updateApplication } from "./application-acts";
import { missingForPlayers } from "./application-fields";
import type { ApplicationInput } from "./contract";
import { findApplication, findClient } from "./store";

const { ctx } = await testContext({ database: await testDatabase() });
const { user: owner, browser } = await mintVisitor(ctx);
const told = applicationInput();
const { data: _data, ...withoutData } = told.privacy;

describe("an application is open from its registration", () => {
  test.each<[string, Partial<ApplicationInput>, string[]]>([
    ["when all is said", {}, []],
    ["not without a home page", { clientUri: "" }, ["clientUri"]],
    ["not without terms", { tosUri: "" }, ["tosUri"]],
    ["not without a privacy policy", { privacyUri: "" }, ["privacyUri"]],
    ["not without a statement", { privacy: withoutData }, ["privacy.data"]],
    ["not with an empty statement", { privacy: { ...told.privacy, use: "  " } }, ["privacy.use"]],
    ["not server-side without a redirect URI", { redirectUris: [] }, ["redirectUris"]],
    ["on a device without a redirect URI", { kind: "public", redirectUris: [] }, []],
  ])("%s", async (_, fields, missing) => {
    const { clientId } = await mintApplication(ctx, owner, fields);
    const application = await findApplication(ctx.database.query, clientId);
    if (!application) throw new Error("It was not registered.");
    expect(missingForPlayers(application.kind, application).map(({ field }) => field)).toEqual(
      missing,
    );
    expect((await findClient(ctx.database, clientId, ctx.now()))?.open).toBe(missing.length === 0);
  });
});

describe.each(["public", "confidential"] as const)("an application in test that is %s", (kind) => {
  const mint = () => mintApplication(ctx, owner, { kind, clientUri: "", privacy: {} });

  test("is approved by its owner", async () => {
    const app = await mint();
    const answered = await browser.decide(await browser.authorize(authorizationQuery(app)), owner);
    expect(answered.searchParams.has("code")).toBe(true);
  });

  test("is not approved by any other player, signed in before or after the request", async () => {
    const app = await mint();
    const { user } = await mintVisitor(ctx);
    for (const visitor of [await TestBrowser.signedIn(ctx, user), new TestBrowser(ctx)]) {
      const answer = await visitor.authorize(authorizationQuery(app));
      expect(answer.status).toBe(303);
      await expect(visitor.decide(answer, user)).rejects.toMatchObject({
        reason: "APPLICATION_IN_TEST",
      });
    }
  });

  test("is not approved by the next player at the owner's browser", async () => {
    const app = await mint();
    const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
    const { user } = await mintVisitor(ctx);
    const { browserId } = browser;
    await expect(resumeRequest(ctx, user, { requestId, browserId })).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
  });

  test("is open to players once its owner opens it, which needs all that they are told, and stays so", async () => {
    const app = await mint();
    const open = () => openToPlayers(ctx, owner, app);
    await expect(open()).rejects.toMatchObject({
      details: {
        errors: expect.arrayContaining([expect.objectContaining({ field: "clientUri" })]),
      },
    });
    const { kind: _kind, ...complete } = told;
    const edit = { ...complete, clientId: app.clientId, version: 1 };
    expect(await updateApplication(ctx, owner, edit)).toEqual({ version: 2 });
    const { user, browser: theirs } = await mintVisitor(ctx);
    const early = theirs.decide(await theirs.authorize(authorizationQuery(app)), user);
    await expect(early).rejects.toMatchObject({ reason: "APPLICATION_IN_TEST" });
    await open();
    await open();
    const opened = and(eq(auditLog.clientId, app.clientId), eq(auditLog.act, "application.opened"));
    expect(await ctx.database.query.$count(auditLog, opened)).toBe(1);
    const answered = await theirs.decide(await theirs.authorize(authorizationQuery(app)), user);
    expect(answered.searchParams.has("code")).toBe(true);
    const emptied = { ...edit, version: 2, tosUri: "" };
    await expect(updateApplication(ctx, owner, emptied)).rejects.toMatchObject({
      details: { errors: [{ field: "tosUri" }] },
    });
  });
});

test("kind and name are enough to register", async () => {
  const input = {
    ...applicationInput({ name: "Bare", redirectUris: [], scopes: [], privacy: {} }),
    clientUri: "",
    tosUri: "",
  };
  const { clientSecret } = await registerApplication(ctx, owner, { ...input, privacyUri: "" });
  expect(clientSecret).toMatch(/^adj_/);
});
