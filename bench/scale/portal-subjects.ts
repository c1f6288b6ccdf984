import type { Context } from "#server/context";
import { answerIntrospection, answerRevocation, answerToken } from "#server/oauth/http";
import { mintSecret } from "#server/platform/secret-text";
import { createCaller } from "#server/portal/router";
import { scopeNames } from "#server/scopes";
import { createPortalContext } from "#server/trpc/portal-context";
import type { Caller } from "./callers";
import { smallApplications } from "./fill-accounts";
import { oneOf, peer, type Subject, type World, within } from "./subjects";
import { insertAccessToken } from "../insert-tokens";

type Answer = (ctx: Context, request: Request, from: typeof peer) => Promise<Response>;

/** Posts a form as the caller's application. */
function post(
  name: string,
  answer: Answer,
  fields: (world: World, caller: Caller) => Promise<Record<string, string>>,
  after: (caller: Caller, reply: unknown) => void = () => {},
): Subject {
  const prepare = async (world: World) => {
    const caller = oneOf(world.callers.players);
    const basic = Buffer.from(
      `${caller.clientId}:${world.callers.secrets.get(caller.clientId)}`,
    ).toString("base64");
    const body = new URLSearchParams(await fields(world, caller));
    const request = new Request("http://any.host/oauth", {
      method: "POST",
      body,
      headers: { authorization: `Basic ${basic}` },
    });
    return async () => {
      const response = await answer(world.ctx, request, peer);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${text}`);
      after(caller, JSON.parse(text));
    };
  };
  return { group: "oauth", name, prepare };
}

async function spareToken({ ctx }: World, { grantId }: Caller): Promise<string> {
  const token = mintSecret("access", ctx.ids.bytes);
  const issuedAt = ctx.now();
  const expiresAt = new Date(issuedAt.getTime() + 3_600_000);
  const print = ctx.keyring.hmac("token", token);
  await insertAccessToken(ctx.database.query, {
    print,
    grantId,
    scopes: scopeNames,
    issuedAt,
    expiresAt,
  });
  return token;
}

export const oauthSubjects: readonly Subject[] = [
  post(
    "POST /oauth/token, a refresh",
    answerToken,
    async (_world, { refreshToken }) => ({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    }),
    (caller, reply) => {
      const { refresh_token, access_token } = reply as {
        refresh_token: string;
        access_token: string;
      };
      caller.refreshToken = refresh_token;
      caller.accessToken = access_token;
    },
  ),
  post(
    "POST /oauth/introspect, an access token",
    answerIntrospection,
    async (_world, { accessToken }) => ({
      token: accessToken,
    }),
  ),
  post(
    "POST /oauth/introspect, a refresh token",
    answerIntrospection,
    async (_world, { refreshToken }) => ({
      token: refreshToken,
    }),
  ),
  post("POST /oauth/revoke", answerRevocation, async (world, caller) => ({
    token: await spareToken(world, caller),
  })),
];

type Portal = ReturnType<typeof createCaller>;

/** A procedure as a signed-in player calls it, the session's lookup included. */
function portal(
  name: string,
  ask: (portal: Portal, world: World, caller: Caller) => Promise<unknown>,
  who: { readonly caller?: (world: World) => Caller; readonly group?: Subject["group"] } = {},
): Subject {
  const { caller: draw = ({ callers }) => oneOf(callers.players), group = "portal" } = who;
  const prepare = (world: World) => {
    const caller = draw(world);
    const from = { requestId: "bench", address: peer.address, userAgent: null };
    const headers = new Headers({ cookie: caller.cookie });
    const browser = { headers, from, setCookie: () => {} };
    return async () =>
      ask(createCaller(await createPortalContext(world.ctx, browser)), world, caller);
  };
  return { group, name, prepare };
}

const admin = { caller: ({ callers }: World) => callers.admin };
const ofDeveloper = (
  name: string,
  ask: (portal: Portal["applications"], input: { clientId: string }) => Promise<unknown>,
): Subject[] => [
  portal(
    `${name}, an application of ${smallApplications.users} players`,
    (own, world, caller) =>
      ask(own.applications, { clientId: world.callers.applicationOf(caller) }),
    { caller: ({ callers }) => oneOf(callers.smallDevelopers) },
  ),
  portal(
    `${name}, an application among ${smallApplications.count * 2} that share the rest`,
    (own, world, caller) =>
      ask(own.applications, { clientId: world.callers.applicationOf(caller) }),
    {
      caller: ({ callers }) => oneOf(callers.largeDevelopers),
      group: "portal of a large application",
    },
  ),
];

/** What the portal's pages read. */
export const portalSubjects: readonly Subject[] = [
  portal("session.current", (own) => own.session.current()),
  portal("session.list", (own) => own.session.list()),
  portal("account.overview", (own) => own.account.overview()),
  portal("account.history", (own) => own.account.history({})),
  portal("account.deletion", (own) => own.account.deletion()),
  portal("account.export", (own) => own.account.export()),
  portal("consents.list", (own) => own.consents.list()),
  portal("consents.activity", (own, _world, { clientId }) => own.consents.activity({ clientId })),
  portal("banking.page", (own) => own.banking.page({})),
  portal("banking.page, a banker", (own) => own.banking.page({}), {
    caller: ({ callers }) => oneOf(callers.leaders),
  }),
  portal("factionChat.own", (own) => own.factionChat.own()),
  portal("chat.link", (own) => own.chat.link()),
  ...ofDeveloper("applications.list", (own) => own.list()),
  ...ofDeveloper("applications.get", (own, one) => own.get(one)),
  ...ofDeveloper("applications.traffic", (own, one) => own.traffic(one)),
  ...ofDeveloper("applications.funnel", (own, one) => own.funnel(one)),
  ...ofDeveloper("applications.calls", (own, one) => own.calls(one)),
  ...ofDeveloper("applications.calls, failed", (own, one) =>
    own.calls({ ...one, outcome: "failed" }),
  ),
  ...ofDeveloper("applications.failedAttempts", (own, one) => own.failedAttempts(one)),
  ...ofDeveloper("applications.liveGrants", (own, one) => own.liveGrants(one)),
  portal("admin.applications", (own) => own.admin.applications({}), admin),
  portal(
    "admin.application",
    (own, world) => own.admin.application({ clientId: oneOf([...world.callers.secrets.keys()]) }),
    admin,
  ),
  portal("admin.accounts", (own) => own.admin.accounts({}), admin),
  portal(
    "admin.accounts, by name",
    (own, world) => own.admin.accounts({ search: `Player${within(world.size)}` }),
    admin,
  ),
  portal(
    "admin.accounts, by number",
    (own, world) => own.admin.accounts({ search: String(within(world.size)) }),
    admin,
  ),
  portal("admin.accounts, banned", (own) => own.admin.accounts({ state: "banned" }), admin),
  portal(
    "admin.account",
    (own, world) => own.admin.account({ accountId: oneOf(world.callers.players).accountId }),
    admin,
  ),
  portal("operations.audit", (own) => own.operations.audit({}), admin),
  portal(
    "operations.audit, of an act",
    (own) => own.operations.audit({ act: "consent.approved" }),
    admin,
  ),
  portal(
    "operations.audit, of a rare act",
    (own) => own.operations.audit({ act: "account.banned" }),
    admin,
  ),
  portal(
    "operations.audit, of an account",
    (own, world) => own.operations.audit({ account: String(within(world.size)) }),
    admin,
  ),
  portal(
    "operations.audit, of an application",
    (own, world) => own.operations.audit({ clientId: oneOf(world.callers.players).clientId }),
    admin,
  ),
  portal("operations.system", (own) => own.operations.system(), admin),
];
