import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, requestLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import { UnknownElement } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { deleteApplication } from "../clients/application-acts";
import { revokeAllConsents, revokeConsents } from "./consent-acts";
import { listConsents } from "./list-consents";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner, { name: "One" });
const second = await mintApplication(ctx, owner, { name: "Two" });
const failure = (kind: { code: number }) => ({ kind: { code: kind.code } });

const logCall = (user: PortalUser, daysAgo: number) =>
  ctx.database.query.insert(requestLog).values({
    at: new Date(ctx.now().getTime() - daysAgo * 86_400_000),
    requestId: "r",
    method: "GET",
    route: "/user",
    status: 200,
    accountId: user.accountId,
    clientId: app.clientId,
    micros: 1,
  });

test("PT-24: a player sees what each application may do, since when, and how it was used", async () => {
  clock.advance(60);
  const user = await mintUser(ctx);
  const since = ctx.now();
  await mintTokens(ctx, app, { user, scopes: ["identity", "faction"] });
  expect(await listConsents(ctx, user)).toMatchObject([{ lastUsed: null, calls: [] }]);
  for (const daysAgo of [1, 2, 8]) await logCall(user, daysAgo);
  await logCall(await mintUser(ctx), 0);
  expect(await listConsents(ctx, user)).toEqual([
    {
      consentId: expect.any(String),
      application: expect.objectContaining({
        clientId: app.clientId,
        name: "One",
        ownerName: expect.stringMatching(/^\w+$/),
        ...{ description: "", emblemSign: null, emblemColour: null },
        scopes: ["identity", "faction"],
        clientUri: "https://client.test/",
        privacyUri: "https://client.test/privacy",
        verified: false,
        suspended: false,
      }),
      scopes: [
        expect.objectContaining({ name: "identity" }),
        expect.objectContaining({ name: "faction" }),
      ],
      takenAway: [],
      since,
      lastUsed: new Date(ctx.now().getTime() - 86_400_000),
      calls: [{ method: "GET", route: "/user", calls: 2 }],
      until: null,
      blockedBy: null,
      paused: false,
    },
  ]);
});

describe("taking back", () => {
  test("RF-14: ends access and refresh on all devices at once, and is in the audit log; other players keep theirs (§7 row 34)", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    const devices = [await mintTokens(ctx, app, { user }), await mintTokens(ctx, app, { user })];
    const neighbour = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const [consent] = await listConsents(ctx, user);
    await revokeConsents(ctx, user, { consentIds: [consent?.consentId ?? ""] });
    for (const tokens of devices) {
      expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
      expect((await refresh(ctx, app, tokens.refresh_token ?? "")).status).toBe(400);
    }
    expect(await ctx.tokens.authenticate(neighbour.access_token)).toBeDefined();
    expect(await listConsents(ctx, user)).toEqual([]);
    const events = await ctx.database.query
      .select()
      .from(auditLog)
      .where(eq(auditLog.accountId, user.accountId));
    expect(events.map(({ act }) => act)).toContain("consent.revoked");
  });

  test("is for one's own consents: another's looks like one that does not exist", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    const tokens = await mintTokens(ctx, app, { user });
    const [consent] = await listConsents(ctx, user);
    for (const consentId of [consent?.consentId ?? "", ctx.ids.uuid(), "nonsense"])
      await expect(revokeConsents(ctx, owner, { consentIds: [consentId] })).rejects.toMatchObject(
        failure(UnknownElement),
      );
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
  });

  test("all at once ends every application's access, and nobody else's", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    const neighbour = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const mine = [await mintTokens(ctx, app, { user }), await mintTokens(ctx, second, { user })];
    expect(await revokeAllConsents(ctx, user)).toBe(2);
    expect(await revokeAllConsents(ctx, user)).toBe(0);
    for (const { access_token } of mine)
      expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
    expect(await ctx.tokens.authenticate(neighbour.access_token)).toBeDefined();
  });
});

test("a deleted application is gone from the list", async () => {
  clock.advance(60);
  const user = await mintUser(ctx);
  const doomed = await mintApplication(ctx, owner, { name: "Doomed" });
  await mintTokens(ctx, doomed, { user });
  await deleteApplication(ctx, owner, { clientId: doomed.clientId, confirmName: "Doomed" });
  expect(await listConsents(ctx, user)).toEqual([]);
});
