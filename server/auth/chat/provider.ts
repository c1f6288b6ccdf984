import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from "arctic";
import { z } from "zod";
import type { ChatSignInSettings, Settings } from "#server/platform/env";
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

const chatCallbackPath = "/sign-in/chat/callback";

/** `openid` is OpenID's scope, `identify` the chat's. */
const scopes = ["openid", "identify"];
const defaultTimeoutMs = 5_000;

const TokenReply = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  token_type: z.string().regex(/^bearer$/i),
});

/** @param options.timeout milliseconds per call */
export function createChatProvider(
  settings: ChatSignInSettings,
  {
    baseUrl,
    timeout: timeoutMs = defaultTimeoutMs,
  }: Pick<Settings, "baseUrl"> & { readonly timeout?: number },
) {
  const { clientId, clientSecret, authorizeUrl, tokenUrl, userUrl, userIdField } = settings;
  const redirectUri = baseUrl + chatCallbackPath;
  const client = new OAuth2Client(clientId, clientSecret, redirectUri);
  const ownScope = new URL(authorizeUrl).searchParams.has("scope");
  // Id and secret are form-encoded first (RFC 6749 section 2.3.1).
  const pair = [clientId, clientSecret].map((half) =>
    new URLSearchParams({ half }).toString().slice("half=".length),
  );
  const authorization = `Basic ${Buffer.from(pair.join(":")).toString("base64")}`;

  /** arctic's own exchange follows redirects, and has no limits. */
  async function exchangeCode(code: string, verifier: string): Promise<string> {
    const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const reply = TokenReply.safeParse(
      await callProvider({
        step: "token",
        url: tokenUrl,
        method: "POST",
        timeoutMs,
        headers: { authorization, accept: "application/json" },
        body: new URLSearchParams({ ...grant, code_verifier: verifier }),
      }),
    );
    if (!reply.success) throw providerError("token", "no bearer token in the answer");
    return new OAuth2Tokens(reply.data).accessToken();
  }

  return {
    authorizationUrl: ({ state, verifier }: Record<"state" | "verifier", string>): string =>
      client
        .createAuthorizationURLWithPKCE(
          authorizeUrl,
          state,
          CodeChallengeMethod.S256,
          verifier,
          ownScope ? [] : scopes,
        )
        .toString(),
    /** @throws ProviderError and nothing else */
    readChatId: async ({
      code,
      verifier,
    }: Record<"code" | "verifier", string>): Promise<bigint> => {
      const token = await exchangeCode(code, verifier);
      const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
      const answer = await callProvider({ step: "user", url: userUrl, headers, timeoutMs });
      const chatId = chatIdOf(answer, userIdField);
      if (chatId === undefined)
        throw providerError("user", `no account's number in the field ${userIdField}`);
      return chatId;
    },
  };
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

/** Follows no redirect, which could leak the secret. @throws ProviderError and nothing else */
async function callProvider({ step, url, timeoutMs, ...init }: ProviderCall): Promise<unknown> {
  const request = new Request(url, { ...init, redirect: "manual", cache: "no-store" });
  const text = await within(timeoutMs, async (signal) => {
    const response = await fetch(request, { signal });
    if (response.status !== 200) {
      response.body?.cancel().catch(() => undefined);
      throw providerError(step, `HTTP ${response.status}`);
    }
    const body = await readLimitedText(response, mostBytes);
    if (body === undefined) throw providerError(step, `more than ${mostBytes} bytes`);
    return body;
  }).catch((thrown: unknown) => {
    if (isTimeout(thrown)) throw providerError(step, `no answer within ${timeoutMs} ms`);
    throw isProviderError(thrown) ? thrown : providerError(step, networkCode(thrown));
  });
  const read = readJson(text);
  if (!("value" in read)) throw providerError(step, read.unreadable);
  return read.value;
}
