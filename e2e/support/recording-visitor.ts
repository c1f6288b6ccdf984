import { createHash, randomBytes } from "node:crypto";

/** Every secret that a run emitted or received, with its kind. */
export type Secrets = Map<string, string>;

export interface App {
  readonly clientId: string;
  readonly clientSecret: string | null;
}

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

export const redirectUri = "https://client.test/cb";
const policy = "Nothing is kept.";

/**
 * Browser and client in one; records every secret that it sees: cookies, headers, keys, codes,
 * verifiers, tokens.
 */
export class RecordingVisitor {
  readonly #jar = new Map<string, string>();
  #csrf = "";

  constructor(
    readonly url: string,
    readonly secrets: Secrets,
  ) {}

  note(kind: string, value: string | null | undefined): string {
    if (value && value.length >= 10) this.secrets.set(value, kind);
    return value ?? "";
  }

  cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Acts as another browser from now on. */
  dropCookies(): void {
    this.#jar.clear();
  }

  async visit(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: this.cookie(), origin: this.url };
    const answer = await fetch(new URL(path, this.url), { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#jar.set(name, this.note(`cookie ${name}`, value));
    }
    return answer;
  }

  /**
   * Submits the sign-in form without script.
   * @returns the session's cookies
   * @throws if the server fails
   */
  async signIn(gameKey: string): Promise<string> {
    await this.post("/sign-in/key", { game_key: this.note("game key", gameKey) });
    await this.renewCsrf();
    return this.cookie();
  }

  /** Reads the session's form token from a page. */
  async renewCsrf(): Promise<void> {
    const page = await (await this.visit("/account")).text();
    this.#csrf = this.note("CSRF token", /name="csrf" value="([^"]+)"/.exec(page)?.[1]);
  }

  async isSignedIn(cookie: string): Promise<boolean> {
    const answer = await fetch(`${this.url}/account`, { headers: { cookie }, redirect: "manual" });
    if (answer.status >= 400)
      throw new Error(`/account answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 200;
  }

  /**
   * Submits a form without script.
   * @returns where it leads
   * @throws if the server fails
   */
  async post(target: string, fields: Record<string, string> = {}): Promise<string> {
    const body = new URLSearchParams({ csrf: this.#csrf, ...fields });
    const answer = await this.visit(target, { method: "POST", body });
    const text = await answer.text();
    if (answer.status >= 500) throw new Error(`${target} answered ${answer.status}: ${text}`);
    return answer.headers.get("location") ?? "";
  }

  /** @throws for a refusal */
  async call<Answer>(procedure: string, input: object = {}): Promise<Answer> {
    const headers = { "content-type": "application/json", "x-csrf-token": this.#csrf };
    const answer = await this.visit(`/api/trpc/${procedure}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ json: input }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${procedure} answered ${answer.status}: ${text}`);
    return JSON.parse(text).result.data.json;
  }

  async register(fields: object = {}): Promise<App> {
    const at = (page: string) => `https://client.test/${page}`;
    const privacy = {
      data: policy,
      use: policy,
      retention: policy,
      deletion: policy,
      sharing: policy,
    };
    const pages = { clientUri: at(""), tosUri: at("terms"), privacyUri: at("privacy") };
    const given = {
      kind: "confidential",
      name: "Recorder",
      redirectUris: [redirectUri],
      scopes: ["identity"],
      ...fields,
    };
    const app = await this.call<App>("applications.create", { ...given, ...pages, privacy });
    this.note("client secret", app.clientSecret);
    return app;
  }

  /** @returns the fields that redeem the code */
  async approve(app: App, state = "state"): Promise<Record<string, string>> {
    const verifier = this.note("verifier", randomBytes(32).toString("base64url"));
    const query = new URLSearchParams({
      response_type: "code",
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: "identity",
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const asked = (await this.visit(`/oauth/authorize?${query}`)).headers.get("location") ?? "";
    const requestId = /\/consent\/([0-9a-f-]+)/.exec(asked)?.[1];
    const decide = async () => {
      await (await this.visit(asked)).text();
      const fields = { decision: "approve", until: "revoked" };
      return this.post(`/consent/${requestId}/decision`, fields);
    };
    const back = requestId ? await decide() : asked;
    const code = this.note("code", new URL(back, this.url).searchParams.get("code"));
    return {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
  }

  async ask(
    endpoint: string,
    app: App,
    fields: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64")}`;
    const identified = app.clientSecret === null ? { client_id: app.clientId, ...fields } : fields;
    const headers: Record<string, string> =
      app.clientSecret === null ? {} : { authorization: this.note("header", basic) };
    const answer = await fetch(`${this.url}/oauth/${endpoint}`, {
      method: "POST",
      headers,
      body: new URLSearchParams(identified),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /**
   * Redeems a code or refreshes.
   * @throws for a refusal
   */
  async tokens(app: App, fields: Record<string, string>): Promise<TokenPair> {
    const { status, text } = await this.ask("token", app, fields);
    if (status !== 200) throw new Error(`/oauth/token answered ${status}: ${text}`);
    const reply = JSON.parse(text);
    const access = this.note("access token", reply.access_token);
    return { access, refresh: this.note("refresh token", reply.refresh_token) };
  }

  async refreshed(app: App, { refresh }: TokenPair): Promise<TokenPair> {
    return this.tokens(app, { grant_type: "refresh_token", refresh_token: refresh });
  }

  async apiStatus(access: string): Promise<number> {
    const authorization = this.note("header", `Bearer ${access}`);
    const answer = await fetch(`${this.url}/api/v1/user`, { headers: { authorization } });
    await answer.text();
    return answer.status;
  }
}
