import { readdirSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { sessionCookieName } from "#server/auth/cookies";
import { demoBankingChannel, demoChatServer } from "#server/chat/client";
import { enrolDemoPeople, linkDemoChat } from "#server/demo/demo-world";
import { deleteMember } from "#server/oauth/clients/team/store";
import { formTargets } from "#server/platform/form-targets";
import { portalRouter } from "#server/portal/router";
import { chatWorld, type Visitor } from "#server/testing/chat-world";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintTokens,
  requestIdOf,
  unthrottled,
} from "#server/testing/oauth-world";
import { passkeyBrowser } from "#server/testing/passkeys";
import { at } from "#server/testing/plain-browser";
import { portalScript } from "#server/testing/portal-script";
import { enableSecondFactor } from "#server/testing/second-factor";
import { mintMember } from "#server/testing/team-world";
import { mintUser } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";

type Target = (typeof formTargets)[number];
type Fields = Record<string, string>;

/** A form as its page sends it, but for the token. */
interface Form {
  readonly fields?: Fields;
  readonly segments?: Fields;
  /** Default: the developer, an admin, officer and owner of the chat server. */
  readonly visitor?: Visitor;
  /** Nothing is stored, even when the form is accepted. */
  readonly stores?: false;
}

const { ctx, simulator, browser, withKey, ...world } = await chatWorld({
  ...{ adminUserIds: [1001], adminSecondFactor: "waived" },
  ...{ webhookLoopback: "allowed", rates: unthrottled },
});
const keys = simulator.demoKeys;
const receiver = await hookReceiver();
const { query, mutate } = portalScript(ctx, portalRouter);
// A page's settings come from the environment, where Vite has a BASE_URL of its own.
vi.stubEnv("BASE_URL", ctx.settings.baseUrl);
let other = "";
beforeAll(async () => {
  await enrolDemoPeople(ctx);
  other = await (await withKey(keys.member)).csrf();
});

const app = path.join(import.meta.dirname, "..");
const files = readdirSync(app, { recursive: true, encoding: "utf8" });
async function handlerOf(target: Target) {
  const file = files.find(
    (each) =>
      path.basename(each) === "route.ts" &&
      `/${path.dirname(each)}`.replaceAll(/\/\([^)]+\)/g, "").replaceAll(/\[[^\]]+\]/g, "*") ===
        target,
  );
  const { POST } = await import(path.join(app, file ?? target));
  return POST as Parameters<typeof at<Fields>>[0];
}

const userOf = async (visitor: Visitor) => {
  const user = await visitor.user();
  if (!user) throw new Error("The visitor is not signed in.");
  return user;
};
const headersOf = async (visitor: Visitor) => ({
  cookie: `${sessionCookieName(false)}=${visitor.token()}`,
  "x-csrf-token": await visitor.csrf(),
});
const ask = async <Answer>(visitor: Visitor, procedure: string, input?: object) =>
  (await query(procedure, await headersOf(visitor), input)).data as Answer;

const ownApplication = async (visitor: Visitor) => mintApplication(ctx, await userOf(visitor));
async function connected(visitor: Visitor): Promise<Fields> {
  const connection = await ownApplication(visitor);
  await mintTokens(ctx, connection, { user: await userOf(visitor) });
  const consents = await ask<{ consentId: string; application: { clientId: string } }[]>(
    visitor,
    "consents.list",
  );
  const own = consents.find(({ application }) => application.clientId === connection.clientId);
  return { consent_id: own?.consentId ?? "" };
}
async function ownEndpoint(visitor: Visitor): Promise<Fields> {
  const { clientId } = await ownApplication(visitor);
  return { clientId, ...(await verifiedEndpoint(visitor, clientId)) };
}
/** An account has one. */
async function ownWebhook(visitor: Visitor): Promise<Fields> {
  const listed = await ask<Fields[]>(visitor, "webhooks.list", { clientId: null });
  for (const { endpointId } of listed)
    await mutate("webhooks.remove", await headersOf(visitor), { clientId: null, endpointId });
  return verifiedEndpoint(visitor, null);
}
async function verifiedEndpoint(visitor: Visitor, clientId: string | null): Promise<Fields> {
  const endpoint = { clientId, url: receiver.url, types: ["stocks.tick"] };
  const headers = await headersOf(visitor);
  const { data } = await mutate("webhooks.add", headers, endpoint);
  const { endpointId = "", secret = "" } = data as Fields;
  receiver.behave(goodReceiver(() => secret));
  await mutate("webhooks.verify", headers, { clientId, endpointId });
  return { endpointId };
}
async function asked(visitor: Visitor): Promise<{ id: number; guid: string }> {
  const wanted = { csrf: await visitor.csrf(), amount: "1k", waits: "none" };
  await visitor.post(at(await handlerOf("/faction/banking/request"), {}), wanted);
  const { own } = await ask<{ own: { id: number; guid: string }[] }>(visitor, "banking.page", {});
  return own[0] ?? { id: 0, guid: "" };
}
async function signature(visitor: Visitor, start: Target): Promise<Fields> {
  const passkeys = passkeyBrowser(ctx);
  await passkeys.add(await userOf(await withKey(keys.developer)), `Key ${ctx.ids.request()}`);
  const started = await visitor.post(at(await handlerOf(start), {}), {
    csrf: await visitor.csrf(),
  });
  return { answer: passkeys.authenticator.get(await started.json()) };
}

async function linkedToChat(): Promise<Form> {
  const visitor = await withKey(keys.banker);
  await world.link(visitor, world.newChatId());
  return { visitor };
}

const lanternwatch = "7001";
const serverId = String(demoChatServer.serverId);
const lobby = String(demoChatServer.channels[0].channelId);

/** Each form as it is accepted: without that a refusal would prove nothing. */
const forms: Readonly<Record<Target, (visitor: Visitor) => Form | Promise<Form>>> = {
  "/sign-in/key": () => ({ visitor: browser(), fields: { game_key: keys.member } }),
  "/sign-in/passkey": async () => {
    const visitor = browser();
    return { visitor, fields: await signature(visitor, "/sign-in/passkey/start") };
  },
  "/sign-in/passkey/start": () => ({ visitor: browser() }),
  "/sign-in/chat": () => ({ visitor: browser() }),
  "/sign-in/second-step/code": async () => {
    const { app } = await enableSecondFactor(ctx, await userOf(await withKey(keys.loner)));
    return { visitor: await withKey(keys.loner), fields: { code: app.code() } };
  },
  "/confirm/proof": () => ({ fields: { game_key: keys.developer } }),
  "/confirm/passkey": async (visitor) => ({
    fields: await signature(visitor, "/confirm/passkey/start"),
  }),
  "/confirm/passkey/start": () => ({}),
  "/sign-out": () => ({}),
  "/consent/*/decision": async (visitor) => {
    const requested = authorizationQuery(await ownApplication(visitor));
    const requestId = requestIdOf(await visitor.authorize(requested));
    return { segments: { requestId }, fields: { decision: "approve" } };
  },
  "/account/chat/link": () => ({}),
  "/account/chat/unlink": linkedToChat,
  "/account/apps/revoke": async (visitor) => ({ fields: await connected(visitor) }),
  "/account/apps/pause": async (visitor) => ({ fields: await connected(visitor) }),
  "/account/apps/resume": async (visitor) => {
    const fields = await connected(visitor);
    const pause = { ...fields, csrf: await visitor.csrf() };
    await visitor.post(at(await handlerOf("/account/apps/pause"), {}), pause);
    return { fields };
  },
  "/account/apps/narrow": async (visitor) => ({
    fields: { ...(await connected(visitor)), shown: "identity" },
  }),
  "/account/apps/restore": async (visitor) => {
    const fields = await connected(visitor);
    const narrowed = { ...fields, shown: "identity", csrf: await visitor.csrf() };
    await visitor.post(at(await handlerOf("/account/apps/narrow"), {}), narrowed);
    return { fields: { ...fields, scope: "identity" } };
  },
  "/account/apps/expiry": async (visitor) => ({
    fields: { ...(await connected(visitor)), until: "day" },
  }),
  "/account/apps/*/report/send": async (visitor) => {
    const owned = await ownApplication(visitor);
    await mintTokens(ctx, owned, { user: await userOf(visitor) });
    const fields = { reason: "misuse", text: "It sold data." };
    return { segments: { clientId: owned.clientId }, fields };
  },
  "/account/sessions/end": async (visitor) => {
    await withKey(keys.developer);
    return { fields: { others: "yes" }, visitor };
  },
  "/account/notices/read": linkedToChat,
  "/account/notifications/save": () => ({ fields: { chat: "sign_in", webhook: "sign_in" } }),
  "/account/notifications/*/act": async (visitor) => ({
    segments: await ownWebhook(visitor),
    fields: { act: "pause" },
  }),
  "/account/notifications/*/replay": async (visitor) => ({
    segments: await ownWebhook(visitor),
    fields: { hours: "1" },
  }),
  "/account/switches": () => ({ fields: { switch: "sharesOpponentStats", on: "yes" } }),
  "/account/keys/remove": async (visitor) => {
    const { gameKeys } = await ask<{ gameKeys: { id: string }[] }>(visitor, "account.overview");
    return { fields: { key_id: gameKeys[0]?.id ?? "" } };
  },
  "/account/security/passkey": async (visitor) => {
    await passkeyBrowser(ctx).add(await userOf(visitor), `Key ${ctx.ids.request()}`);
    const { passkeys } = await ask<{ passkeys: { id: string }[] }>(visitor, "passkeys.show");
    return { fields: { act: "remove", id: passkeys.at(-1)?.id ?? "" } };
  },
  "/account/export": () => ({}),
  "/account/delete/confirm": async () => {
    const visitor = await withKey(keys.outsider);
    const { player } = await ask<{ player: { name: string } }>(visitor, "account.overview");
    return { visitor, fields: { confirm_name: player.name } };
  },
  "/admin/applications/*/act": async (visitor) => ({
    segments: { clientId: (await ownApplication(visitor)).clientId },
    fields: { act: "suspend", reason: "It sold data." },
  }),
  "/admin/audit/export": () => ({ fields: { days: "7" } }),
  "/admin/accounts/*/act": async () => ({
    segments: { accountId: (await mintUser(ctx)).accountId },
    fields: { act: "ban", reason: "It sold data." },
  }),
  "/demo/act": () => ({ fields: { act: "payment" } }),
  "/faction/banking/request": () => ({
    fields: { amount: "1k", currency: "money_balance", waits: "none" },
  }),
  "/faction/banking/cancel": async (visitor) => ({
    fields: { faction: lanternwatch, request: String((await asked(visitor)).id) },
  }),
  "/faction/banking/ledger/export": () => ({ fields: { days: "7" }, stores: false }),
  "/faction/banking/balance": () => ({}),
  "/faction/members": () => ({ stores: false }),
  "/faction/apps/act": () => ({ fields: { act: "limit" } }),
  "/faction/banking/fulfill/*/claim": async () => ({
    visitor: await withKey(keys.banker),
    segments: { guid: (await asked(await withKey(keys.member))).guid },
    fields: { act: "claim" },
  }),
  "/faction/banking/fulfill/*/confirm": async () => ({
    visitor: await withKey(keys.banker),
    segments: { guid: (await asked(await withKey(keys.member))).guid },
  }),
  "/faction/chat/server": () => ({ fields: { act: "clear", shown: serverId } }),
  "/faction/chat/events": async () => {
    await linkDemoChat(ctx);
    return { fields: { channel_id: lobby, shown: "hits" } };
  },
  "/faction/stats/import": () => ({
    fields: { text: "id,strength,defense,speed,dexterity,timestamp\n1005,9,9,9,9,1767225600" },
  }),
  "/faction/stats/sharing": () => ({ fields: { sharing: "off" } }),
  "/players/*/read": () => ({ segments: { playerId: String(demoPersonOf("loner").playerId) } }),
  "/chat-servers/*/act": () => ({
    segments: { serverId },
    fields: {
      ...{ act: "banking", faction_id: lanternwatch },
      ...{
        shown_channel: String(demoBankingChannel.channelId),
        shown_role: String(demoBankingChannel.roleIds[0]),
      },
    },
  }),
  "/developers/new/register": () => ({
    fields: { ...{ kind: "public", name: "Muster Roll" }, ...{ scopes: "identity" } },
  }),
  "/developers/doctor/question": () => ({ fields: { ask: "adj_at_x" }, stores: false }),
  "/developers/apps/*/open": async (visitor) => {
    const owned = await mintApplication(ctx, await userOf(visitor), { privacyUri: "" });
    const segments = { clientId: owned.clientId };
    const complete = { ...applicationInput(), ...segments, version: 1 };
    await mutate("applications.update", await headersOf(visitor), complete);
    return { segments };
  },
  "/developers/apps/*/team/act": async (visitor) => ({
    segments: { clientId: (await ownApplication(visitor)).clientId },
    fields: { act: "invite", player: String(demoPersonOf("loner").playerId), role: "viewer" },
  }),
  "/developers/apps/*/verification/act": async (visitor) => ({
    segments: { clientId: (await ownApplication(visitor)).clientId },
    fields: { act: "name", domain: "clerk.example" },
  }),
  "/developers/apps/*/token": async (visitor) => ({
    segments: { clientId: (await ownApplication(visitor)).clientId },
  }),
  "/developers/apps/*/secrets-saved": async (visitor) => ({
    segments: { clientId: (await ownApplication(visitor)).clientId },
  }),
  "/developers/apps/*/credentials/delete": async (visitor) => {
    const { clientId } = await ownApplication(visitor);
    const { secrets } = await ask<{ secrets: { id: string }[] }>(visitor, "applications.get", {
      clientId,
    });
    return {
      segments: { clientId },
      fields: { secret_id: secrets[0]?.id ?? "", is_only: "yes" },
    };
  },
  "/developers/apps/*/tokens/revoke": async (visitor) => {
    const owned = await ownApplication(visitor);
    await mintTokens(ctx, owned, { user: await userOf(visitor) });
    return { segments: { clientId: owned.clientId }, fields: { confirm_name: "Test application" } };
  },
  "/developers/apps/*/danger/delete": async (visitor) => {
    const { clientId } = await ownApplication(visitor);
    return { segments: { clientId }, fields: { confirm_name: "Test application" } };
  },
  "/developers/apps/*/requests/export": async (visitor) => ({
    segments: { clientId: (await ownApplication(visitor)).clientId },
    stores: false,
  }),
  "/developers/apps/*/webhooks/*/act": async (visitor) => ({
    segments: await ownEndpoint(visitor),
    fields: { act: "pause" },
  }),
  "/developers/apps/*/webhooks/*/replay": async (visitor) => ({
    segments: await ownEndpoint(visitor),
    fields: { hours: "1" },
  }),
};

/** All rows of all tables but the one of this process's heartbeat. */
async function stored(): Promise<string> {
  await ctx.settled();
  const on = ctx.database.query;
  const tables = await on
    .select({ name: sql<string>`tablename` })
    .from(sql`pg_tables`)
    .where(sql`schemaname = current_schema() and tablename <> 'instances'`);
  const each = tables.map(
    ({ name }) => `select '${name}' as name, row::text as row from "${name}" as row`,
  );
  const rows = await on
    .select({ name: sql<string>`name`, row: sql<string>`row` })
    .from(sql.raw(`(${each.join(" union all ")} order by 1, 2) as rows`));
  return rows.map(({ name, row }) => `${name} ${row}`).join("\n");
}

const foreign = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
const hostile = "\0<script>";

test.each(formTargets)(
  "PT-13, AZ-37: %s does what its page asks, and nothing for another site, another session, no session or garbage",
  async (target) => {
    const handler = await handlerOf(target);
    const sender = await withKey(keys.developer);
    const { visitor = sender, fields = {}, segments = {}, stores } = await forms[target](sender);
    const csrf = await visitor.csrf();
    const post = async (who: Visitor, sent: Fields | [string, string][], headers: Fields = {}) => {
      const answer = await who.post(at(handler, segments), sent, headers);
      return {
        status: answer.status,
        to: answer.headers.get("location"),
        text: await answer.text(),
      };
    };
    const before = await stored();

    const multipart = { "content-type": "multipart/form-data; boundary=x" };
    const padding = Array.from({ length: 2_000 }, (): [string, string] => ["a", ""]);
    const whole = { csrf, ...fields };
    expect((await post(visitor, whole, foreign)).status).toBe(403);
    expect((await post(visitor, whole, { origin: "null" })).status).toBe(403);
    expect((await post(visitor, whole, { "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await post(visitor, whole, multipart)).status).toBe(415);
    expect((await post(visitor, { ...whole, more: "x".repeat(300_000) })).status).toBe(413);
    expect((await post(visitor, [...Object.entries(whole), ...padding])).status).toBe(400);
    if (visitor.token()) {
      for (const token of ["", hostile, other]) {
        const { status, text } = await post(visitor, { ...fields, csrf: token });
        expect([token, status, text.includes(hostile)]).toEqual([token, 403, false]);
      }
      const { status, to } = await post(browser(), fields);
      if (target.startsWith("/admin/")) expect(status).toBe(404);
      else if (target !== "/sign-out") expect(to).toMatch(/^\/sign-in(\?|$)/);
    }
    if (Object.keys(fields).length > 0) {
      const garbage = Object.fromEntries(Object.keys(fields).map((name) => [name, hostile]));
      const { status, text } = await post(visitor, { csrf, ...garbage });
      expect(status).toBeLessThan(500);
      expect(text).not.toContain(hostile);
    }
    expect(await stored()).toBe(before);

    const { status, to } = await post(visitor, whole);
    expect([status, to]).toEqual([
      expect.toBeOneOf([200, 303]),
      expect.not.stringMatching(/error=/),
    ]);
    expect((await stored()) !== before).toBe(stores !== false);
  },
);

test.each(formTargets.filter((target) => target.startsWith("/developers/apps/")))(
  "ID-09: %s does nothing for a viewer of the application, and to a former member it looks unknown",
  async (target) => {
    const handler = await handlerOf(target);
    const owner = await withKey(keys.developer);
    const { fields = {}, segments = {} } = await forms[target](owner);
    const { clientId = "" } = segments;
    const viewer = await withKey(keys.member);
    const { accountId } = await mintMember(ctx, { clientId }, "viewer", await userOf(viewer));
    const post = async (id: string) => {
      const sent = { csrf: await viewer.csrf(), ...fields };
      const answer = await viewer.post(at(handler, { ...segments, clientId: id }), sent);
      return [answer.status, answer.headers.get("location")?.replace(id, "")];
    };
    const before = await stored();
    expect(await post(clientId)).toEqual([403, undefined]);
    expect(await stored()).toBe(before);
    await deleteMember(ctx.database.query, { clientId, accountId });
    expect(await post(clientId)).toEqual(await post("0".repeat(32)));
  },
);
