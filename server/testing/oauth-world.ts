import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { applications } from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import { browserCookieName, sessionCookieName } from "#server/auth/cookies";
import { createSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { decideRequest } from "#server/oauth/authorize/decide-request";
import { answerAuthorize } from "#server/oauth/authorize/http";
import { showRequest } from "#server/oauth/authorize/show-request";
import { registerApplication } from "#server/oauth/clients/application-acts";
import { ApplicationInput } from "#server/oauth/clients/contract";
import { listApplicationSummaries } from "#server/oauth/clients/store";
import type { TokenReply } from "#server/oauth/grants/authorization-code";
import { answerRevocation, answerToken } from "#server/oauth/http";
import { hostedCallbackUri } from "#server/oauth/redirect-uri";
import type { ScopeName } from "#server/scopes";
import { mintUser, testSource } from "./world";

export interface TestApplication {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly redirectUri: string;
}

/** For files that exceed an application's requests or failures a minute. */
export const unthrottled = { client: 100_000, clientFailures: 100_000 } as const;

export const testVerifier = "a".repeat(43);
export const testChallenge = createHash("sha256").update(testVerifier).digest("base64url");

export const applicationInput = (fields: Partial<ApplicationInput> = {}): ApplicationInput =>
  ApplicationInput.parse({
    kind: "confidential",
    name: "Test application",
    redirectUris: ["https://client.test/cb"],
    scopes: ["identity", "faction"],
    clientUri: "https://client.test/",
    tosUri: "https://client.test/terms",
    privacyUri: "https://client.test/privacy",
    privacy: {
      data: "Your name.",
      use: "Shown.",
      retention: "A day.",
      deletion: "By mail.",
      sharing: "With nobody.",
    },
    ...fields,
  });

export async function mintApplication(
  ctx: Context,
  owner: PortalUser,
  fields: Partial<ApplicationInput> = {},
): Promise<TestApplication> {
  const input = applicationInput(fields);
  const { name } = input;
  const isTaken = (
    await listApplicationSummaries(ctx.database.query, {
      ...{ accountId: owner.accountId, right: "ownership", limit: 1_000 },
    })
  ).some((other) => other.name === name);
  const credentials = await registerApplication(
    ctx,
    owner,
    isTaken ? { ...input, name: `Another ${ctx.ids.request()}` } : input,
  );
  // Tests may give two applications of an owner one name, which the product refuses.
  if (isTaken)
    await ctx.database.query
      .update(applications)
      .set({ name })
      .where(eq(applications.clientId, credentials.clientId));
  const [registered] = input.redirectUris;
  return {
    ...credentials,
    redirectUri: registered ?? hostedCallbackUri(ctx.settings.baseUrl, credentials.clientId),
  };
}

export class TestBrowser {
  readonly #cookies = new Map<string, string>();

  constructor(readonly ctx: Context) {}

  static async signedIn(ctx: Context, user: PortalUser): Promise<TestBrowser> {
    const browser = new TestBrowser(ctx);
    await browser.signIn(user);
    return browser;
  }

  async signIn(user: PortalUser): Promise<void> {
    const { ctx } = this;
    const browser = { address: null, userAgent: null };
    const { token } = await createSession(ctx, ctx.database.query, {
      accountId: user.accountId,
      from: browser,
      proof: "game-key",
    });
    this.#cookies.set(sessionCookieName(ctx.settings.https), token);
  }

  signOut(): void {
    this.#cookies.delete(sessionCookieName(this.ctx.settings.https));
  }

  get browserId(): string | null {
    return this.#cookies.get(browserCookieName(this.ctx.settings.https)) ?? null;
  }

  async authorize(
    query: Record<string, string> | string,
    init: { method?: string } = {},
  ): Promise<Response> {
    const text = typeof query === "string" ? query : new URLSearchParams(query).toString();
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(`http://any.host/oauth/authorize?${text}`, {
      ...init,
      headers: { cookie },
    });
    const response = await answerAuthorize(this.ctx, request, { address: testSource.address });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      this.#cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  }

  async decide(
    response: Response,
    user: PortalUser,
    decision: "approve" | "deny" = "approve",
  ): Promise<URL> {
    const requestId = requestIdOf(response);
    const { ctx, browserId } = this;
    await showRequest(ctx, user, { requestId, browserId });
    const { location } = await decideRequest(ctx, user, {
      requestId,
      browserId,
      decision,
    });
    return new URL(location);
  }
}

export async function mintVisitor(ctx: Context) {
  const user = await mintUser(ctx);
  return { user, browser: await TestBrowser.signedIn(ctx, user) };
}

export function requestIdOf(response: Response): string {
  const address = response.headers.get("location");
  if (address === null) throw new Error(`The request was answered with ${response.status}.`);
  const location = new URL(address);
  return location.searchParams.get("request") ?? location.pathname.split("/").at(-1) ?? "";
}

export const authorizationQuery = (app: TestApplication, fields: Record<string, string> = {}) => ({
  response_type: "code",
  client_id: app.clientId,
  redirect_uri: app.redirectUri,
  scope: "identity",
  state: "xyz",
  code_challenge: testChallenge,
  code_challenge_method: "S256",
  ...fields,
});

export async function mintCode(
  ctx: Context,
  app: TestApplication,
  approved: {
    readonly user: PortalUser;
    readonly scope?: string;
    readonly query?: Record<string, string>;
  },
): Promise<string> {
  const user = { ...approved.user, authenticatedAt: ctx.now(), confirmedAt: ctx.now() };
  const browser = await TestBrowser.signedIn(ctx, user);
  const query = authorizationQuery(app, {
    scope: approved.scope ?? "identity",
    prompt: "consent",
    ...approved.query,
  });
  const location = await browser.decide(await browser.authorize(query), user);
  return location.searchParams.get("code") ?? "";
}

export const basic = (app: { clientId: string; clientSecret: string | null }): string =>
  `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64")}`;

export async function postToken(
  ctx: Context,
  app: TestApplication | null,
  fields: Record<string, string>,
  peer = { address: testSource.address },
): Promise<Response> {
  const headers: Record<string, string> = app?.clientSecret ? { authorization: basic(app) } : {};
  const identified =
    app && app.clientSecret === null ? { client_id: app.clientId, ...fields } : fields;
  return answerToken(ctx, formRequest("token", identified, headers), peer);
}

export const formRequest = (
  endpoint: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  new Request(`http://any.host/oauth/${endpoint}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers,
  });

export const redemption = (
  app: TestApplication,
  code: string,
  fields: Record<string, string> = {},
) => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: app.redirectUri,
  code_verifier: testVerifier,
  ...fields,
});

export async function mintTokens(
  ctx: Context,
  app: TestApplication,
  approved: { readonly user: PortalUser; readonly scopes?: readonly ScopeName[] },
): Promise<TokenReply> {
  const code = await mintCode(ctx, app, {
    user: approved.user,
    scope: (approved.scopes ?? ["identity"]).join(" "),
  });
  const response = await postToken(ctx, app, redemption(app, code));
  if (response.status !== 200) throw new Error(`The code was refused: ${await response.text()}`);
  return (await response.json()) as TokenReply;
}

export const refresh = (
  ctx: Context,
  app: TestApplication,
  token: string,
  fields: Record<string, string> = {},
) => postToken(ctx, app, { grant_type: "refresh_token", refresh_token: token, ...fields });

export const revokeToken = (ctx: Context, app: TestApplication, token: string): Promise<Response> =>
  answerRevocation(ctx, formRequest("revoke", { token }, { authorization: basic(app) }), {
    address: testSource.address,
  });
