import { readdirSync } from "node:fs";
import path from "node:path";
import { eq, getTableColumns, getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";
import {
  accounts,
  chatIdentities,
  gameKeys,
  notices,
  passkeys,
  sessions,
} from "#db/schema/accounts";
import { applications, consents } from "#db/schema/oauth";
import { auditLog, idempotencyRecords, requestLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { PortalUser } from "#server/actor";
import { readSession } from "#server/auth/sessions";
import { signInWithGameKey } from "#server/auth/sign-in-with-game-key";
import { isFailure } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { expectWithin } from "#server/testing/lived-time";
import {
  authorizationQuery,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { passkeyBrowser } from "#server/testing/passkeys";
import { enableSecondFactor, proveFirstFactor } from "#server/testing/second-factor";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { mintUser, sentFrom, testSource, visitor } from "#server/testing/world";
import { listGameKeys } from "#server/users/keys/own-keys";
import { deleteAccount, exportAccount, showDeletion } from "./account-acts";

const database = await testDatabase();
const here = await testContext({ database, settings: { tokenCache: true } });
/** A second instance on the same database. */
const elsewhere = await testContext({ database, settings: { tokenCache: true }, beside: here });
const { ctx, clock, simulator } = here;
const on = ctx.database.query;
const developer = await mintUser(ctx);
const app = await mintApplication(ctx, developer, { name: "Of somebody else" });

const signIn = async (gameKey: string) =>
  signedIn(
    await signInWithGameKey(ctx, sentFrom(visitor, { requestId: "r", address: "192.0.2.7" }), {
      gameKey,
      previousSession: null,
    }),
  );
const nameOf = async (user: PortalUser) => {
  const [player] = await on
    .select({ name: players.name })
    .from(players)
    .where(eq(players.id, user.playerId));
  return player?.name ?? "";
};
const remove = async (user: PortalUser) =>
  deleteAccount(ctx, user, { confirmName: await nameOf(user) });

/** An account with rows of every kind. */
async function busyAccount() {
  clock.advance(60);
  const { user, sessionToken } = await signIn(simulator.demoKeys.member);
  const { secret, app: authenticator, backupCodes } = await enableSecondFactor(ctx, user);
  const step = await proveFirstFactor(ctx, user);
  await passkeyBrowser(ctx).add(user);
  await on
    .insert(chatIdentities)
    .values({ chatId: 90_071_992_547_409_931n, accountId: user.accountId, linkedAt: ctx.now() });
  await ctx.notify(on, { accountId: user.accountId, kind: "test", text: "A word." });
  const own = await mintApplication(ctx, user, { name: "Of the account" });
  const tokens = await mintTokens(ctx, app, { user });
  const customer = await mintTokens(ctx, own, { user: developer });
  const code = await mintCode(ctx, app, { user, query: { prompt: "consent" } });
  const browser = await TestBrowser.signedIn(ctx, user);
  const waiting = requestIdOf(
    await browser.authorize(authorizationQuery(app, { prompt: "consent" })),
  );
  const call = { method: "GET", route: "/user", status: 200, micros: 1, clientId: app.clientId };
  await on
    .insert(requestLog)
    .values({ ...call, at: ctx.now(), requestId: "call-1", accountId: user.accountId });
  await on.insert(idempotencyRecords).values({
    ...{
      accountId: user.accountId,
      clientId: app.clientId,
      key: "k",
      requestHash: "h",
      createdAt: ctx.now(),
    },
  });
  return {
    user,
    sessionToken,
    secret,
    authenticator,
    backupCodes,
    step,
    own,
    tokens,
    customer,
    code,
    waiting,
  };
}

/** Every table with rows of an account, and the column. */
const folder = path.join(import.meta.dirname, "../../db/schema");
const schema = await Promise.all(
  readdirSync(folder).map((file): Promise<object> => import(path.join(folder, file))),
);
const tablesOfAccounts = schema
  .flatMap((file): unknown[] => Object.values(file))
  .filter(
    (value): value is PgTable =>
      typeof value === "object" && value !== null && Symbol.for("drizzle:IsDrizzleTable") in value,
  )
  .flatMap((table) => {
    const columns: Record<string, PgColumn> = getTableColumns(table);
    const column = columns.accountId ?? columns.ownerId;
    return column ? [{ name: getTableName(table), table, column }] : [];
  });

const rowsOf = async (accountId: string) => {
  const left: string[] = [];
  for (const { name, table, column } of tablesOfAccounts)
    if ((await on.select({ column }).from(table).where(eq(column, accountId))).length > 0)
      left.push(name);
  return left;
};

describe("deleting the account (PT-22)", () => {
  test("says before what it cuts", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    const [one, two] = [await mintApplication(ctx, user), await mintApplication(ctx, user)];
    for (let n = 0; n < 2; n++) await mintTokens(ctx, one, { user: await mintUser(ctx) });
    const both = await mintUser(ctx);
    await mintTokens(ctx, one, { user: both });
    await mintTokens(ctx, two, { user: both });
    await mintTokens(ctx, two, { user });
    await mintTokens(ctx, app, { user });
    expect(await showDeletion(ctx, user)).toMatchObject({
      connected: 2,
      applications: 2,
      users: 3,
      gameKeys: 0,
    });
  });

  test("wants the player's name", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    for (const confirmName of ["", "somebody else", (await nameOf(user)).toUpperCase()])
      await expect(deleteAccount(ctx, user, { confirmName })).rejects.toSatisfy(isFailure);
    expect(await on.select().from(accounts).where(eq(accounts.id, user.accountId))).toHaveLength(1);
  });

  test("ends sessions, tokens, codes, keys, pending requests, chat link and second factor at once, on every instance", async () => {
    const busy = await busyAccount();
    const { user, tokens, customer } = busy;
    // Both instances have the tokens in their cache.
    for (const { ctx: instance } of [here, elsewhere])
      for (const each of [tokens, customer])
        expect(await instance.tokens.authenticate(each.access_token)).toBeDefined();
    expect(await rowsOf(user.accountId)).toEqual(
      expect.arrayContaining([
        "sessions",
        "game_keys",
        "passkeys",
        "proofs",
        "authorization_requests",
        "applications",
      ]),
    );
    await remove(user);

    for (const { ctx: instance } of [here, elsewhere]) {
      expect(await readSession(instance, busy.sessionToken, testSource)).toBeNull();
      for (const { access_token } of [tokens, customer])
        await expectWithin(1_000, () => instance.tokens.authenticate(access_token)).toBeUndefined();
    }
    expect((await refresh(ctx, app, tokens.refresh_token ?? "")).status).toBe(400);
    expect((await postToken(ctx, app, redemption(app, busy.code))).status).toBe(400);
    expect((await refresh(ctx, busy.own, customer.refresh_token ?? "")).status).toBe(401);
    // The remaining rows are anonymous and kept for their 30 and 90 days.
    expect((await rowsOf(user.accountId)).sort()).toEqual(["audit_log", "request_log"]);
  });

  test("ends the applications as their developer would, tells their players, and keeps their names", async () => {
    clock.advance(60);
    const [owner, customer] = [await mintUser(ctx), await mintUser(ctx)];
    const own = await mintApplication(ctx, owner, { name: "Muster" });
    await mintTokens(ctx, own, { user: customer });
    await remove(owner);
    expect(await ctx.tokens.findClient(own.clientId)).toBeUndefined();
    const [left] = await on
      .select()
      .from(applications)
      .where(eq(applications.clientId, own.clientId));
    expect(left).toMatchObject({ name: "Muster", deletedAt: ctx.now() });
    const told = await on.select().from(notices).where(eq(notices.accountId, customer.accountId));
    expect(told.map(({ kind, text }) => [kind, text.includes("“Muster”")]).sort()).toEqual([
      ["application-allowed", true],
      ["application-deleted", true],
    ]);
    // A second developer's applications go to the same former owner.
    const another = await mintUser(ctx);
    await mintApplication(ctx, another);
    await remove(another);
    expect(await rowsOf(another.accountId)).toEqual(["audit_log"]);
  });

  test("keeps the act in the audit log, without a personal word", async () => {
    clock.advance(60);
    const user = await mintUser(ctx, { name: "Very_Personal" });
    await remove(user);
    const events = await on.select().from(auditLog).where(eq(auditLog.accountId, user.accountId));
    expect(events).toMatchObject([
      { act: "account.deleted", actor: `account:${user.accountId}`, details: { applications: 0 } },
    ]);
    expect(JSON.stringify(events.map(({ id: _, ...event }) => event))).not.toContain(
      "Very_Personal",
    );
  });

  test("leaves the player as one of the game, who can still be looked up", async () => {
    const { user } = await busyAccount();
    const [before] = await on.select().from(players).where(eq(players.id, user.playerId));
    await remove(user);
    const [after] = await on.select().from(players).where(eq(players.id, user.playerId));
    expect(after).toEqual({ ...before, factionApiAccess: false });
  });

  test("lets the player sign in again, to a new and empty account", async () => {
    const { user } = await busyAccount();
    await remove(user);
    clock.advance(60);
    const again = await signIn(simulator.demoKeys.member);
    expect(again.user.accountId).not.toBe(user.accountId);
    expect(await listGameKeys(ctx, again.user)).toHaveLength(1);
    expect((await rowsOf(again.user.accountId)).sort()).toEqual([
      "audit_log",
      "game_keys",
      "sessions",
    ]);
  });

  test("twice is harmless", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    await remove(user);
    await remove(user);
    const events = await on.select().from(auditLog).where(eq(auditLog.accountId, user.accountId));
    expect(events).toHaveLength(1);
  });

  test("leaves everybody else's alone", async () => {
    const bystander = await mintUser(ctx);
    const tokens = await mintTokens(ctx, app, { user: bystander });
    const before = await rowsOf(bystander.accountId);
    await remove((await busyAccount()).user);
    expect(await rowsOf(bystander.accountId)).toEqual(before);
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeDefined();
  });
});

describe("the export of the account", () => {
  test("holds what is stored, kind by kind", async () => {
    const { user, own } = await busyAccount();
    const { json } = await exportAccount(ctx, user);
    const said = JSON.parse(json);
    expect(said).toMatchObject({
      exportedAt: ctx.now().toISOString(),
      account: { id: user.accountId, lendsKey: false },
      player: { id: 1003, chatId: expect.stringMatching(/^\d+$/) },
      gameKeys: [{ lastFour: "0001", state: "active" }],
      chatAccount: { chatId: "90071992547409931" },
      secondFactor: { backupCodesLeft: 10 },
      consents: [
        { application: { clientId: app.clientId, name: "Of somebody else" }, scopes: ["identity"] },
      ],
      applications: [
        { clientId: own.clientId, name: "Of the account", secrets: [{ deletedAt: null }] },
      ],
      calls: [{ requestId: "call-1", route: "/user" }],
    });
    expect(said.consents[0].grants.length).toBeGreaterThan(0);
    expect(said.sessions.length).toBeGreaterThan(0);
    expect(said.notices.map(({ kind }: { kind: string }) => kind)).toContain("test");
    expect(said.events.map(({ act }: { act: string }) => act)).toEqual(
      expect.arrayContaining(["session.opened", "second_factor.enabled"]),
    );
    await remove(user);
  });

  test("holds no secret, no hash of one, and nobody else's address", async () => {
    const busy = await busyAccount();
    const { user } = busy;
    const by = sentFrom(developer, { address: "203.0.113.77" });
    await ctx.audit(on, by, "account.banned", { accountId: user.accountId });
    const { json } = await exportAccount(ctx, user);
    const secrets = [
      ...[
        simulator.demoKeys.member,
        busy.sessionToken,
        busy.secret,
        busy.step,
        ...busy.backupCodes,
      ],
      ...[
        busy.own.clientSecret,
        busy.tokens.access_token,
        busy.tokens.refresh_token,
        busy.code,
        "203.0.113.77",
      ],
      ctx.keyring.hmac("game-key", simulator.demoKeys.member).hash,
    ];
    for (const secret of secrets) expect(json).not.toContain(secret ?? "?");
    for (const { idHash } of await on.select().from(sessions)) expect(json).not.toContain(idHash);
    for (const { sealed } of await on.select().from(gameKeys))
      expect(json).not.toContain(sealed ?? "?");
    await remove(user);
  });

  test("holds every column of its rows, but those that are withheld by name", async () => {
    const { user } = await busyAccount();
    const said = JSON.parse((await exportAccount(ctx, user)).json);
    const withheld = {
      applications: ["ownerId", "version"],
      chatAccount: ["accountId"],
      consents: [
        ...["id", "accountId", "clientId", "updatedAt"],
        ...["applicationName", "applicationOwner", "redirectHosts"],
      ],
      gameKeys: ["id", "accountId", "playerId", "sealed", "keyHmac", "ownerAttempt"],
      passkeys: ["id", "accountId", "credentialId", "publicKey", "counter", "transports"],
      sessions: ["idHash", "accountId"],
    };
    const tables = {
      ...{ applications, chatAccount: chatIdentities, consents },
      ...{ gameKeys, passkeys, sessions },
    };
    for (const [name, names] of Object.entries(withheld)) {
      const [row] = [said[name]].flat();
      const columns = Object.keys(getTableColumns(tables[name as keyof typeof tables]));
      const left = columns.filter((column) => !names.includes(column));
      expect(Object.keys(row), name).toEqual(expect.arrayContaining(left));
      expect(
        Object.keys(row).filter((column) => names.includes(column)),
        name,
      ).toEqual([]);
    }
    await remove(user);
  });

  test("and the deletion know every table that tells of accounts", () => {
    // For a new table here: add it to export and deletion, or give a reason to leave it out.
    expect(tablesOfAccounts.map(({ name }) => name).sort()).toEqual([
      "application_members",
      "application_reports",
      "application_testers",
      "applications",
      "audit_log",
      "authorization_requests",
      "chat_identities",
      "consents",
      "game_keys",
      "idempotency_records",
      "notices",
      "passkeys",
      "proofs",
      "request_log",
      "second_factor_guesses",
      "second_factors",
      "sessions",
      "webhook_endpoints",
    ]);
  });
});
