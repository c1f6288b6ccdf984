import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { exportAccount } from "#server/account/account-acts";
import { banAccount, unbanAccount } from "#server/admin/accounts";
import { createSession, endOtherSessions, signOut } from "#server/auth/sessions";
import { signInWithGameKey } from "#server/auth/sign-in-with-game-key";
import { deleteApplication, updateApplication } from "#server/oauth/clients/application-acts";
import { showApplication } from "#server/oauth/clients/own-applications";
import { createSecret, deleteSecret } from "#server/oauth/clients/secrets/secret-acts";
import {
  narrowConsent,
  pauseConsent,
  resumeConsent,
  revokeConsents,
} from "#server/oauth/consents/consent-acts";
import { listConsents } from "#server/oauth/consents/list-consents";
import { testDatabase } from "#server/testing/database";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  revokeToken,
  TestBrowser,
} from "#server/testing/oauth-world";
import { signedIn } from "#server/testing/signed-in";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource, visitor } from "#server/testing/world";
import { turnSwitch } from "#server/users/account-switches";
import { listGameKeys, removeGameKey } from "#server/users/keys/own-keys";
import { type AuditedAct, auditDetailLabels } from "./audit";
import { listOwnHistory, searchAuditLog } from "./read-events";

const { ctx, clock, simulator } = await testContext({
  database: await testDatabase(),
  settings: { adminUserIds: [1] },
});
const on = ctx.database.query;
const admin = { ...(await mintUser(ctx, { id: 1 })), admin: true };
const developer = await mintUser(ctx);
const player = await mintUser(ctx);
const app = await mintApplication(ctx, developer);
const { clientId } = app;

/** Events of these acts during `work`. */
async function written(act: AuditedAct, work: () => Promise<unknown>) {
  clock.advance(60);
  const before = await on.select({ id: auditLog.id }).from(auditLog);
  const known = new Set(before.map(({ id }) => id));
  await work();
  await ctx.settled();
  const now = await on.select().from(auditLog);
  return now.filter((event) => !known.has(event.id) && event.act === act);
}

const consentId = async () => (await listConsents(ctx, player))[0]?.consentId ?? "";
const signIn = async (gameKey: string) =>
  signedIn(await signInWithGameKey(ctx, visitor, { gameKey, previousSession: null }));
const deny = async () => {
  const user = { ...player, authenticatedAt: ctx.now(), confirmedAt: ctx.now() };
  const visitor = await TestBrowser.signedIn(ctx, user);
  await visitor.decide(
    await visitor.authorize(authorizationQuery(app, { prompt: "consent" })),
    user,
    "deny",
  );
};
const useCodeTwice = async () => {
  const code = await mintCode(ctx, app, { user: player });
  await postToken(ctx, app, redemption(app, code));
  clock.advance(10);
  await postToken(ctx, app, redemption(app, code));
};
const useRefreshTwice = async () => {
  const { refresh_token = "" } = await mintTokens(ctx, app, { user: player });
  const { refresh_token: next = "" } = (await (await refresh(ctx, app, refresh_token)).json()) as {
    refresh_token?: string;
  };
  await refresh(ctx, app, next);
  clock.advance(120);
  await refresh(ctx, app, refresh_token);
};
const mint = () => mintTokens(ctx, app, { user: player });

/** Each act is caused through the product's own verb or endpoint. */
const walk: [AuditedAct, () => Promise<unknown>][] = [
  ["session.opened", () => signIn(simulator.demoKeys.loner)],
  ["game_key.added", () => signIn(simulator.demoKeys.outsider)],
  ["session.refused", () => signIn("NotARealKey00001").catch(() => undefined)],
  [
    "key_lending.changed",
    async () => {
      const { user } = await signIn(simulator.demoKeys.member);
      await turnSwitch(ctx, user, { name: "lendsKey", on: true });
    },
  ],
  [
    "game_key.removed",
    async () => {
      const { user } = await signIn(simulator.demoKeys.member);
      const [key] = await listGameKeys(ctx, user);
      await removeGameKey(ctx, user, { keyId: key?.id ?? "" });
    },
  ],
  ["account.exported", () => exportAccount(ctx, player)],
  [
    "session.closed",
    async () => {
      const { accountId, from } = player;
      const { token } = await createSession(ctx, on, { accountId, from, proof: "game-key" });
      await signOut(ctx, player, { token });
    },
  ],
  [
    "session.ended",
    async () => {
      const { accountId, from } = player;
      await createSession(ctx, on, { accountId, from, proof: "game-key" });
      await endOtherSessions(ctx, player);
    },
  ],
  ["application.created", () => mintApplication(ctx, developer)],
  [
    "application.updated",
    () => updateApplication(ctx, developer, { ...applicationInput(), clientId, version: 1 }),
  ],
  [
    "client_secret.created",
    () => createSecret(ctx, developer, { clientId, name: "Second", livesDays: null }),
  ],
  [
    "client_secret.deleted",
    async () => {
      const secret = (await showApplication(ctx, developer, clientId)).secrets.find(
        ({ name }) => name === "Second",
      );
      await deleteSecret(ctx, developer, { clientId, secretId: secret?.id ?? "" });
    },
  ],
  ["consent.approved", mint],
  ["code.issued", mint],
  ["token.issued", mint],
  ["consent.denied", deny],
  ["token.refreshed", async () => refresh(ctx, app, (await mint()).refresh_token ?? "")],
  ["refresh_token.reused", useRefreshTwice],
  ["code.reused", useCodeTwice],
  ["token.revoked", async () => revokeToken(ctx, app, (await mint()).access_token)],
  ["token_request.refused", () => refresh(ctx, app, "x")],
  [
    "consent.paused",
    async () =>
      mint().then(async () => pauseConsent(ctx, player, { consentId: await consentId() })),
  ],
  ["consent.resumed", async () => resumeConsent(ctx, player, { consentId: await consentId() })],
  [
    "consent.narrowed",
    async () =>
      narrowConsent(ctx, player, { consentId: await consentId(), shown: ["identity"], keep: [] }),
  ],
  ["consent.revoked", async () => revokeConsents(ctx, player, { consentIds: [await consentId()] })],
  [
    "account.banned",
    () => banAccount(ctx, admin, { accountId: developer.accountId, reason: "A test." }),
  ],
  ["account.unbanned", () => unbanAccount(ctx, admin, { accountId: developer.accountId })],
  [
    "application.deleted",
    () => deleteApplication(ctx, developer, { clientId, confirmName: "Test application" }),
  ],
];

test.each(walk)(
  "%s leaves one event, with who did it, from which address, in which request",
  async (act, work) => {
    const events = await written(act, work);
    expect(events).toHaveLength(1);
    const [event] = events;
    for (const name of Object.keys(event?.details ?? {}))
      expect(auditDetailLabels).toHaveProperty(name);
    expect(event?.actor).toMatch(/^(account:[0-9a-f-]{36}|client:[0-9a-f]{32}|anonymous)$/);
    expect(event?.requestId).toBeTruthy();
    expect(event?.address).toBe(testSource.address);
  },
);

test("no event holds a secret", async () => {
  const tokens = await mintTokens(ctx, await mintApplication(ctx, developer), { user: player });
  await ctx.settled();
  const log = JSON.stringify(await on.select().from(auditLog), (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(log).not.toContain("adj_");
  for (const secret of [tokens.access_token, tokens.refresh_token ?? "-", app.clientSecret ?? "-"])
    expect(log).not.toContain(secret);
  for (const key of Object.values(simulator.demoKeys)) expect(log).not.toContain(key);
});

describe("the log can be searched", () => {
  test("by act, player and application, newest first", async () => {
    const { events } = await searchAuditLog(ctx, {
      act: "consent.approved",
      account: String(player.playerId),
      clientId,
    });
    expect(events.length).toBeGreaterThan(1);
    for (const event of events)
      expect(event).toMatchObject({ act: "consent.approved", clientId, words: "Access approved" });
    const ids = events.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    expect(events[0]).toMatchObject({
      by: { kind: "account", player: { playerId: player.playerId } },
    });
    expect(await searchAuditLog(ctx, { account: "999999999" })).toEqual({ events: [], next: null });
  });

  test("by words of the event and its details, a name, an address and a request id", async () => {
    const from = { requestId: ctx.ids.request(), address: "2001:db8::77", userAgent: null };
    const by = { ...(await mintUser(ctx, { name: "Quillon_7" })), from };
    const details = { url: "https://hooks.lantern-watch.test/in", description: "Größe" };
    await ctx.audit(on, by, "webhook.added", { clientId, details });
    await ctx.audit(on, by, "token.refreshed");
    const found = async (search: string) =>
      (await searchAuditLog(ctx, { search })).events
        .filter(({ by: who }) => who.kind === "account" && who.accountId === by.accountId)
        .map(({ act }) => act);
    for (const search of ["WATCH", "hooks.lantern-watch", "größ", "endpoint added", from.address])
      expect([search, await found(search)]).toEqual([search, ["webhook.added"]]);
    for (const search of ["quillon_7", "Quil", from.requestId])
      expect([search, await found(search)]).toEqual([search, ["token.refreshed", "webhook.added"]]);
    for (const search of ["lantern clerk", "2001:db8::78", "%", "'", `${from.requestId}x`])
      expect([search, await found(search)]).toEqual([search, []]);
  });

  test("by time, with the other filters", async () => {
    clock.advance(3_600);
    const [since, until] = [clock.now(), new Date(clock.now().getTime() + 60_000)];
    await ctx.audit(on, player, "passkey.added");
    clock.advance(120);
    await ctx.audit(on, player, "passkey.added");
    const found = async (query: object) =>
      (await searchAuditLog(ctx, { act: "passkey.added", ...query })).events.map(({ at }) => at);
    expect(await found({ since })).toEqual([clock.now(), since]);
    expect(await found({ since, until })).toEqual([since]);
    expect(await found({ since, until, search: "passkey" })).toEqual([since]);
    expect(await found({ since: until, until })).toEqual([]);
  });

  test("page by page, each event once", async () => {
    const seen: string[] = [];
    let before: string | undefined;
    for (;;) {
      const { events, next } = await searchAuditLog(ctx, { before });
      seen.push(...events.map(({ id }) => id));
      if (next === null) break;
      before = next;
    }
    const all = await on.select({ id: auditLog.id }).from(auditLog);
    expect(seen.length).toBe(all.length);
    expect(new Set(seen).size).toBe(all.length);
  });
});

test("a player's own history holds what was done with their rights, and nothing of others nor of a machine's routine", async () => {
  const { events } = await listOwnHistory(ctx, player, undefined);
  const acts = new Set(events.map(({ act }) => act));
  expect([...acts]).toEqual(
    expect.arrayContaining(["consent.approved", "consent.revoked", "refresh_token.reused"]),
  );
  for (const act of [
    "consent.shown",
    "token.issued",
    "token.refreshed",
    "code.issued",
    "application.created",
  ])
    expect(acts.has(act)).toBe(false);
  const own = await on
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(eq(auditLog.accountId, player.accountId));
  const ids = own.map(({ id }) => String(id));
  for (const event of events) expect(ids).toContain(event.id);
});
