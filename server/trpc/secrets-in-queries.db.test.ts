import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { players } from "#db/schema/players";
import { browserCookieName } from "#server/auth/cookies";
import { csrfTokenFor } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import { authenticatorApp } from "#server/testing/authenticator-app";
import { bankingServer, bankingWorld } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import {
  applicationInput,
  authorizationQuery,
  mintTokens,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { portalScript } from "#server/testing/portal-script";
import { testSource } from "#server/testing/world";
import { portalRouter } from "../portal/router";

const world = await bankingWorld(await testDatabase());
const { people, ask } = world;
const settings = { ...world.ctx.settings, adminUserIds: [people.banker.playerId] };
const ctx = { ...world.ctx, settings };
const { query, mutate } = portalScript(ctx, portalRouter);

// The type has routers; the flat record exists only at run time.
const procedures = portalRouter._def.procedures as unknown as Record<
  string,
  { readonly _def: { readonly type: string } }
>;
const queries = Object.entries(procedures)
  .filter(([, { _def }]) => _def.type === "query")
  .map(([name]) => name);

/** @returns the mutation's answer */
async function act(
  name: string,
  headers: Record<string, string>,
  input?: unknown,
): Promise<Record<string, string>> {
  const answer = await mutate(name, headers, input);
  expect([name, answer.status]).toEqual([name, 200]);
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0];
  return { ...(answer.data as Record<string, string>), ...(cookie && { cookie }) };
}

test("PT-14, PT-19: no query returns a secret, a key, a token or a session's cookie, to their owner, a banker and an admin in one", {
  timeout: 60_000,
}, async () => {
  const { cookie = "" } = await act("signIn.withGameKey", {}, { gameKey: people.banker.key });
  const session = cookie.split("=")[1] ?? "";
  const user = await readSession(ctx, session, testSource);
  if (!user) throw new Error("The banker is not signed in.");
  const csrf = csrfTokenFor(ctx.keyring, user.sessionHash);
  const signedIn = { cookie, "x-csrf-token": csrf };
  const { secret: seed = "" } = await act("secondFactor.begin", signedIn);
  const confirmed = await act("secondFactor.confirm", signedIn, {
    code: authenticatorApp(seed, ctx.now).code(),
    keep: [],
  });
  const created = await act("applications.create", signedIn, applicationInput());
  const { clientId = "", clientSecret = "" } = created;
  const app = { clientId, clientSecret, redirectUri: "https://client.test/cb" };
  const tokens = await mintTokens(ctx, app, { user, scopes: ["identity", "faction"] });
  const browser = await TestBrowser.signedIn(ctx, user);
  const endpoint = { clientId, url: "https://hooks.client.test/", types: [] };
  const { endpointId = "", secret: webhookSecret = "" } = await act(
    "webhooks.add",
    signedIn,
    endpoint,
  );
  const requestId = requestIdOf(
    await browser.authorize(authorizationQuery(app, { prompt: "consent" })),
  );
  const headers = {
    ...signedIn,
    cookie: `${cookie}; ${browserCookieName(false)}=${browser.browserId}`,
  };
  const { guid } = await ask();
  const call = ctx.ids.request();
  const line = {
    method: "GET",
    route: "/api/v1/user",
    status: 200,
    failureCode: null,
    micros: 1,
    address: "192.0.2.1",
  };
  ctx.logRequest({ ...line, at: ctx.now(), requestId: call, accountId: user.accountId, clientId });
  await ctx.settled();

  await ctx.database.query
    .update(players)
    .set({ positionName: "Leader" })
    .where(eq(players.id, people.banker.playerId));

  const inputs: Record<string, unknown> = {
    "applications.get": { clientId },
    "applications.traffic": { clientId },
    "applications.funnel": { clientId },
    "applications.firstRun": { clientId },
    "applications.calls": { clientId },
    "applications.loggedCall": { clientId, requestId: call },
    "applications.failedAttempts": { clientId },
    "applications.liveGrants": { clientId },
    "team.show": { clientId },
    "team.history": { clientId },
    "verification.show": { clientId },
    "team.testPlayers": { clientId },
    "webhooks.list": { clientId },
    "webhooks.deliveries": { clientId, endpointId },
    "admin.application": { clientId },
    "admin.reports": { clientId },
    "admin.account": { accountId: user.accountId },
    "consents.activity": { clientId },
    "consents.reportForm": { clientId },
    "authorization.show": { requestId },
    "authorization.restart": { requestId },
    "authorization.callback": { clientId, sent: {} },
    "signIn.waiting": { requestId },
    "doctor.examine": { text: clientId },
    "banking.fulfilment": { guid },
    "banking.ledger": { days: 30, member: null, unseenOnly: false, after: null },
    "banking.ledgerFile": { days: 30, member: null, unseenOnly: false },
    "players.find": { typed: "Cleo" },
    "players.show": { playerId: people.member.playerId },
    "stocks.show": { acronym: "TSB" },
    "factionAccess.application": { clientId },
    "factionChat.server": { serverId: String(bankingServer) },
  };
  const secrets = {
    ...{
      session,
      csrf,
      hash: user.sessionHash,
      browserId: browser.browserId,
      seed,
      clientSecret,
      webhookSecret,
    },
    ...{ key: people.banker.key, access: tokens.access_token, refresh: tokens.refresh_token },
    ...Object.fromEntries(Object.entries(confirmed.backupCodes ?? [])),
  };
  expect(Object.values(secrets).filter((secret) => !secret || secret.length < 8)).toEqual([]);

  // The demo offers its keys to everyone.
  const asked = queries.filter((name) => name !== "signIn.demoPlayers");
  const refused: string[] = [];
  for (const name of asked) {
    const { status, text } = await query(name, headers, inputs[name] ?? {});
    if (status !== 200) refused.push(`${name} ${status}`);
    for (const [what, secret] of Object.entries(secrets))
      expect([name, what, text.includes(secret ?? "")]).toEqual([name, what, false]);
    expect([name, text.match(/adj_[a-z]{2}_/)]).toEqual([name, null]);
  }
  // The banker manages no chat server.
  expect(refused, "Give each of them an input that it can answer.").toEqual([
    "factionChat.server 404",
  ]);
});

test("PT-14: nothing that gives a secret can be asked for by a query", async () => {
  const { cookie = "" } = await act("signIn.withGameKey", {}, { gameKey: people.member.key });
  for (const name of [
    ...["applications.create", "applications.createSecret", "webhooks.add", "webhooks.rotate"],
    ...["secondFactor.begin", "account.export"],
  ])
    expect([name, (await query(name, { cookie }, {})).status]).toEqual([name, 405]);
});
