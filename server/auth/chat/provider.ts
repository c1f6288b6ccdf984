import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from "arctic";
import { z } from "zod";
import type { ChatSignInSettings } from "#server/platform/chat-settings";
import type { Settings } from "#server/platform/env";
import { readLimitedText } from "#server/platform/limited-text";
import {
  isUpstreamError,
  networkCode,
  type UpstreamError,
  upstreamError,
} from "#server/platform/upstream";
import { isTimeout, within } from "#server/platform/within";
import { readJson } from "#server/rest/read-input";

/* The only file that imports arctic, which is no longer maintained. */

/** Registered at the provider. */
export const chatCallbackPath = "/sign-in/chat/callback";

/** One for the chat, one for OpenID; a provider ignores an unknown scope. */
const scopes = ["openid", "identify"];
const defaultTimeoutMs = 5_000;

const TokenReply = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  token_type: z.string().regex(/^bearer$/i),
});

export interface ChatProvider {
  authorizationUrl(asked: { readonly state: string; readonly verifier: string }): string;
  /** @throws ProviderError and nothing else */
  readChatId(answered: { readonly code: string; readonly verifier: string }): Promise<bigint>;
}

/** @param options.timeout milliseconds per call */
export function createChatProvider(
  settings: ChatSignInSettings,
  {
    baseUrl,
    timeout = defaultTimeoutMs,
  }: Pick<Settings, "baseUrl"> & { readonly timeout?: number },
): ChatProvider {
  const { authorizeUrl, tokenUrl, userUrl, userIdField } = settings;
  const client = new BoundedClient(settings, { redirectUri: baseUrl + chatCallbackPath, timeout });
  const ownScope = new URL(authorizeUrl).searchParams.has("scope");
  return {
    authorizationUrl: ({ state, verifier }) =>
      client
        .createAuthorizationURLWithPKCE(
          authorizeUrl,
          state,
          CodeChallengeMethod.S256,
          verifier,
          ownScope ? [] : scopes,
        )
        .toString(),
    readChatId: async ({ code, verifier }) => {
      const tokens = await client.validateAuthorizationCode(tokenUrl, code, verifier);
      const headers = {
        authorization: `Bearer ${tokens.accessToken()}`,
        accept: "application/json",
      };
      const answer = await callProvider({
        step: "user",
        url: userUrl,
        headers,
        timeoutMs: timeout,
      });
      const chatId = chatIdOf(answer, userIdField);
      if (chatId === undefined)
        throw providerError("user", `no account's number in the field ${userIdField}`);
      return chatId;
    },
  };
}

/** arctic's own exchange follows redirects, and has no limit of time or size. */
class BoundedClient extends OAuth2Client {
  readonly #authorization: string;
  readonly #redirectUri: string;
  readonly #timeout: number;

  constructor(
    { clientId, clientSecret }: ChatSignInSettings,
    { redirectUri, timeout }: { redirectUri: string; timeout: number },
  ) {
    super(clientId, clientSecret, redirectUri);
    // RFC 6749 section 2.3.1: both halves are form-encoded first.
    const pair = [clientId, clientSecret].map((half) =>
      new URLSearchParams({ half }).toString().slice("half=".length),
    );
    this.#authorization = `Basic ${Buffer.from(pair.join(":")).toString("base64")}`;
    this.#redirectUri = redirectUri;
    this.#timeout = timeout;
  }

  override async validateAuthorizationCode(
    url: string,
    code: string,
    verifier: string,
  ): Promise<OAuth2Tokens> {
    const reply = TokenReply.safeParse(
      await callProvider({
        step: "token",
        url,
        method: "POST",
        headers: { authorization: this.#authorization, accept: "application/json" },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri: this.#redirectUri,
          code_verifier: verifier,
        }),
        timeoutMs: this.#timeout,
      }),
    );
    if (!reply.success) throw providerError("token", "no bearer token in the answer");
    return new OAuth2Tokens(reply.data);
  }
}

const greatestChatId = 2n ** 63n - 1n;

/** 64 bits, as text or as an exact JSON integer. */
const ChatId = z
  .union([z.string().regex(/^[1-9][0-9]{0,18}$/), z.int().positive(), z.bigint().positive()])
  .transform((value) => BigInt(value))
  .refine((id) => id <= greatestChatId);

const UserFields = z.record(z.string(), z.unknown());

export function chatIdOf(answer: unknown, field: string): bigint | undefined {
  const fields = UserFields.safeParse(answer);
  if (!fields.success || !Object.hasOwn(fields.data, field)) return undefined;
  return ChatId.safeParse(fields.data[field]).data;
}

type ProviderError = UpstreamError & {
  readonly upstream: "chat-provider";
  readonly kind: "token" | "user";
};

export const providerError = (kind: ProviderError["kind"], problem: string): ProviderError =>
  upstreamError(`${kind}: ${problem}`, {
    name: "ProviderError",
    upstream: "chat-provider",
    kind,
  }) as ProviderError;

export const isProviderError = (thrown: unknown): thrown is ProviderError =>
  isUpstreamError(thrown, "chat-provider");

/** Real answers have a few hundred bytes. */
const mostBytes = 64 * 1024;

interface ProviderCall extends Pick<RequestInit, "method" | "headers" | "body"> {
  readonly step: ProviderError["kind"];
  readonly url: string;
  readonly timeoutMs: number;
}

/**
 * A redirect could leak the secret, so none is followed.
 * @throws ProviderError and nothing else
 */
async function callProvider({ step, url, timeoutMs, ...init }: ProviderCall): Promise<unknown> {
  const text = await exchange(
    step,
    new Request(url, { ...init, redirect: "manual", cache: "no-store" }),
    timeoutMs,
  );
  const read = readJson(text);
  if (!("value" in read)) throw providerError(step, read.unreadable);
  return read.value;
}

async function exchange(
  step: ProviderError["kind"],
  request: Request,
  timeoutMs: number,
): Promise<string> {
  return within(timeoutMs, async (signal) => {
    const response = await fetch(request, { signal });
    if (response.status !== 200) {
      response.body?.cancel().catch(() => undefined);
      throw providerError(step, `HTTP ${response.status}`);
    }
    const text = await readLimitedText(response, mostBytes);
    if (text === undefined) throw providerError(step, `more than ${mostBytes} bytes`);
    return text;
  }).catch((thrown: unknown) => {
    if (isTimeout(thrown)) throw providerError(step, `no answer within ${timeoutMs} ms`);
    throw isProviderError(thrown) ? thrown : providerError(step, networkCode(thrown));
  });
}
