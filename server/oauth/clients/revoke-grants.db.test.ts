import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accessTokens, grants } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { GeneralError, UnknownElement, UnknownOAuthClient } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import {
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
} from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom } from "#server/testing/world";
import { deleteApplication } from "./application-acts";
import { revokeGrants, showLiveGrants } from "./live-grants/live-grants";
import { countUsersByClient, deviceCountLimit } from "./live-grants/store";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx, { name: "Dev" });
const stranger = await mintUser(ctx);
const origin = { requestId: "the-request", address: "192.0.2.7" };
const exactly = (count: number) => ({ count, more: false });
const counted = (players: number, grants: number, tokens: number) => ({
  players: exactly(players),
  grants: exactly(grants),
  tokens: exactly(tokens),
});
const failure = (kind: { code: number }) => ({ kind: { code: kind.code } });
const grantsOf = (clientId: string, after: string | null = null) =>
  showLiveGrants(ctx, owner, { clientId, after });

describe("live grants", () => {
  test("say who, what, since when and how many tokens, and no secret", async () => {
    const app = await mintApplication(ctx, owner);
    const player = await mintUser(ctx, { name: "Mira" });
    const tokens = await mintTokens(ctx, app, { user: player, scopes: ["identity", "faction"] });
    const { rows, all, next } = await grantsOf(app.clientId);
    const since = ctx.now();
    expect(rows).toEqual([
      {
        id: expect.any(String),
        at: since,
        player: { id: player.playerId, name: "Mira" },
        scopes: ["identity", "faction"],
        lastUsed: since,
        tokens: 1,
        paused: false,
      },
    ]);
    expect({ all, next }).toEqual({ all: counted(1, 1, 1), next: null });
    for (const secret of [
      tokens.access_token,
      tokens.refresh_token ?? "",
      "hash",
      player.accountId,
    ])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("a grant that was approved and waits for its exchange counts; one whose code ran out does not", async () => {
    const app = await mintApplication(ctx, owner);
    await mintCode(ctx, app, { user: await mintUser(ctx) });
    expect((await grantsOf(app.clientId)).all).toEqual(counted(1, 1, 0));
    clock.advance(61);
    expect((await grantsOf(app.clientId)).all).toEqual(counted(0, 0, 0));
  });

  test("a public application's grant ends with its access token; a confidential one's when it was idle too long", async () => {
    const pub = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
    const conf = await mintApplication(ctx, owner);
    await mintTokens(ctx, pub, { user: await mintUser(ctx) });
    await mintTokens(ctx, conf, { user: await mintUser(ctx) });
    const counts = async () => [
      (await grantsOf(pub.clientId)).all,
      (await grantsOf(conf.clientId)).all,
    ];
    clock.advance(86_400);
    expect(await counts()).toEqual([counted(0, 0, 0), counted(1, 1, 0)]);
    clock.advance(30 * 86_400);
    expect(await counts()).toEqual([counted(0, 0, 0), counted(0, 0, 0)]);
  });

  test("the last call through the application counts as use", async () => {
    const app = await mintApplication(ctx, owner);
    const player = await mintUser(ctx);
    await mintTokens(ctx, app, { user: player });
    clock.advance(300);
    const line = {
      requestId: "r",
      method: "GET",
      route: "/user",
      status: 200,
      failureCode: null,
      micros: 1,
    };
    ctx.logRequest({
      ...line,
      at: ctx.now(),
      accountId: player.accountId,
      clientId: app.clientId,
      address: null,
    });
    await ctx.settled();
    expect((await grantsOf(app.clientId)).rows).toMatchObject([{ lastUsed: ctx.now() }]);
  });

  test("more than a page of them are all within reach, each once", async () => {
    const app = await mintApplication(ctx, owner);
    const player = await mintUser(ctx);
    await mintTokens(ctx, app, { user: player });
    const [model] = await ctx.database.query
      .select()
      .from(grants)
      .where(eq(grants.clientId, app.clientId));
    const consentId = model?.consentId ?? "";
    const [issuedAt, later] = [ctx.now(), new Date(ctx.now().getTime() + 60_000)];
    const devices = Array.from({ length: 51 }, () => ({
      id: ctx.ids.uuid(),
      consentId,
      clientId: app.clientId,
      scopes: [],
    }));
    await ctx.database.query
      .insert(grants)
      .values(devices.map((device) => ({ ...device, createdAt: issuedAt, absoluteExpiry: later })));
    await ctx.database.query.insert(accessTokens).values(
      devices.map(({ id }) => ({
        hash: id,
        hashKeyId: "x",
        grantId: id,
        scopes: [],
        issuedAt,
        expiresAt: later,
      })),
    );
    const first = await grantsOf(app.clientId);
    const second = await grantsOf(app.clientId, first.next);
    expect([first.rows.length, second.rows.length, second.next]).toEqual([50, 2, null]);
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(52);
    expect(first.all).toEqual(counted(1, 52, 52));
  });
});

describe("of more devices than are counted", () => {
  test("a page says so, and the act tells exactly how many it ended", async () => {
    const app = await mintApplication(ctx, owner, { name: "Crowd" });
    const elsewhere = { ...origin, requestId: "another-request" };
    const player = await mintUser(ctx);
    await mintTokens(ctx, app, { user: player });
    const [{ consentId } = { consentId: "" }] = await ctx.database.query
      .select({ consentId: grants.consentId })
      .from(grants)
      .where(eq(grants.clientId, app.clientId));
    const [issuedAt, later] = [ctx.now(), new Date(ctx.now().getTime() + 60_000)];
    const addDevices = async (many: number) => {
      const devices = Array.from({ length: many }, () => ({
        id: ctx.ids.uuid(),
        consentId,
        clientId: app.clientId,
      }));
      await ctx.database.query.insert(grants).values(
        devices.map((device) => ({
          ...device,
          scopes: [],
          createdAt: issuedAt,
          absoluteExpiry: later,
        })),
      );
      const token = { hashKeyId: "x", scopes: [], issuedAt, expiresAt: later };
      await ctx.database.query
        .insert(accessTokens)
        .values(devices.map(({ id }) => ({ ...token, hash: id, grantId: id })));
    };
    await addDevices(deviceCountLimit - 2);
    expect((await grantsOf(app.clientId)).all).toEqual(
      counted(1, deviceCountLimit - 1, deviceCountLimit - 1),
    );
    await addDevices(30);
    const bounded = { count: deviceCountLimit, more: true };
    expect((await grantsOf(app.clientId)).all).toEqual({
      players: { count: 1, more: true },
      grants: bounded,
      tokens: bounded,
    });
    const ended = await revokeGrants(ctx, sentFrom(owner, elsewhere), {
      clientId: app.clientId,
      confirmName: "Crowd",
    });
    expect(ended).toEqual({ players: 1, grants: deviceCountLimit + 29 });
    expect((await grantsOf(app.clientId)).all).toEqual(counted(0, 0, 0));
  });

  test("players are counted up to a bound as well", async () => {
    const app = await mintApplication(ctx, owner);
    for (let player = 0; player < 3; player++)
      await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const count = async (most: number) =>
      (
        await countUsersByClient(ctx.database.query, { clientIds: [app.clientId], most }, ctx.now())
      ).get(app.clientId);
    expect([await count(2), await count(3), await count(4)]).toEqual([
      { count: 2, more: true },
      { count: 3, more: true },
      exactly(3),
    ]);
  });
});

describe("a developer ends", () => {
  test("one grant: its tokens are dead at once, the player's other device and other applications go on", async () => {
    const [app, other] = [
      await mintApplication(ctx, owner, { name: "Cutter" }),
      await mintApplication(ctx, owner),
    ];
    const player = await mintUser(ctx);
    const first = await mintTokens(ctx, app, { user: player });
    clock.advance(1);
    const second = await mintTokens(ctx, app, { user: player });
    const elsewhere = await mintTokens(ctx, other, { user: player });
    const { rows } = await grantsOf(app.clientId);
    const grantId = rows.at(-1)?.id ?? "";
    expect(
      await revokeGrants(ctx, sentFrom(owner, origin), { clientId: app.clientId, grantId }),
    ).toEqual({
      players: 1,
      grants: 1,
    });
    expect(await ctx.tokens.authenticate(first.access_token)).toBeUndefined();
    expect((await refresh(ctx, app, first.refresh_token ?? "")).status).toBe(400);
    expect(await ctx.tokens.authenticate(second.access_token)).toBeDefined();
    expect(await ctx.tokens.authenticate(elsewhere.access_token)).toBeDefined();
    expect((await grantsOf(app.clientId)).all).toMatchObject({ grants: exactly(1) });

    const events = await ctx.database.query
      .select()
      .from(auditLog)
      .where(eq(auditLog.requestId, origin.requestId));
    expect(events).toMatchObject([
      {
        act: "grant.revoked_by_developer",
        actor: `account:${owner.accountId}`,
        accountId: player.accountId,
        clientId: app.clientId,
        address: origin.address,
        details: { grantId, all: false },
      },
    ]);
    expect(await listOwnNotices(ctx, player)).toMatchObject([
      {
        kind: "grant-revoked-by-developer",
        text: expect.stringContaining("“Cutter” ended the access"),
      },
    ]);
    await expect(
      revokeGrants(ctx, sentFrom(owner, origin), { clientId: app.clientId, grantId }),
    ).rejects.toMatchObject(failure(UnknownElement));
  });

  test("all grants, for the application's name: tokens and waiting codes are dead at once, each player is told once", async () => {
    const app = await mintApplication(ctx, owner, { name: "Broom" });
    const [one, two] = [await mintUser(ctx), await mintUser(ctx)];
    const tokens = [
      await mintTokens(ctx, app, { user: one }),
      await mintTokens(ctx, app, { user: one }),
      await mintTokens(ctx, app, { user: two }),
    ];
    const code = await mintCode(ctx, app, { user: two });
    const named = (confirmName: string) =>
      revokeGrants(ctx, sentFrom(owner, origin), { clientId: app.clientId, confirmName });
    await expect(named("broom")).rejects.toMatchObject(failure(GeneralError));
    expect(await ctx.tokens.authenticate(tokens[0]?.access_token ?? "")).toBeDefined();
    expect(await named(" Broom ")).toEqual({ players: 2, grants: 4 });
    for (const { access_token, refresh_token } of tokens) {
      expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
      expect((await refresh(ctx, app, refresh_token ?? "")).status).toBe(400);
    }
    expect((await postToken(ctx, app, redemption(app, code))).status).toBe(400);
    for (const player of [one, two]) expect(await listOwnNotices(ctx, player)).toHaveLength(1);
    expect(await named("Broom")).toEqual({ players: 0, grants: 0 });
    // The application itself lives on.
    const again = await mintTokens(ctx, app, { user: one });
    expect(await ctx.tokens.authenticate(again.access_token)).toBeDefined();
  });

  test("the application: its players are told that it is gone", async () => {
    const app = await mintApplication(ctx, owner, { name: "Gone" });
    const player = await mintUser(ctx);
    await mintTokens(ctx, app, { user: player });
    await deleteApplication(ctx, sentFrom(owner, origin), {
      clientId: app.clientId,
      confirmName: "Gone",
    });
    expect(await listOwnNotices(ctx, player)).toMatchObject([{ kind: "application-deleted" }]);
  });

  test("nothing of another developer's (ID-09), and no grant of another application", async () => {
    const [app, other] = [await mintApplication(ctx, owner), await mintApplication(ctx, owner)];
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const { clientId } = app;
    const grantId = (await grantsOf(clientId)).rows[0]?.id ?? "";
    for (const act of [
      () => revokeGrants(ctx, sentFrom(stranger, origin), { clientId, grantId }),
      () =>
        revokeGrants(ctx, sentFrom(stranger, origin), {
          clientId,
          confirmName: "Test application",
        }),
      () => showLiveGrants(ctx, stranger, { clientId, after: null }),
    ])
      await expect(act()).rejects.toMatchObject(failure(UnknownOAuthClient));
    for (const [of, id] of [
      [other.clientId, grantId],
      [clientId, ctx.ids.uuid()],
      [clientId, "nonsense"],
      [clientId, ""],
    ] as const)
      await expect(
        revokeGrants(ctx, sentFrom(owner, origin), { clientId: of, grantId: id }),
      ).rejects.toMatchObject(failure(UnknownElement));
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
  });
});
