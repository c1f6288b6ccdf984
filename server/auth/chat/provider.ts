import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from "arctic";
import { z } from "zod";
import type { ChatSignInSettings } from "#server/platform/chat-settings";
import type { Settings } from "#server/platform/env";
import { callProvider, providerError } from "./call-provider";

const most = 2n ** 63n - 1n;

/** The number of a chat account: 64 bits, as text or as a JSON integer that was read with all its digits. */
const ChatId = z
  .union([z.string().regex(/^[1-9][0-9]{0,18}$/), z.int().positive(), z.bigint().positive()])
  .transform((value) => BigInt(value))
  .refine((id) => id <= most);

const Fields = z.record(z.string(), z.unknown());

/** The account's number in what the provider says of a user; undefined where it is not there, or no such number. */
export function chatIdOf(answer: unknown, field: string): bigint | undefined {
  const fields = Fields.safeParse(answer);
  if (!fields.success || !Object.hasOwn(fields.data, field)) return undefined;
  return ChatId.safeParse(fields.data[field]).data;
}

/*
 * The one file that knows arctic, which is no longer developed: replacing it means replacing this file.
 */

/** Where the provider sends the browser back to. Registered there. */
export const chatCallbackPath = "/sign-in/chat/callback";

/** What a chat and an OpenID provider each want to hear before they name the user. Who does not know one of them ignores it. */
const scopes = ["openid", "identify"];
const timeoutMs = 5_000;

const TokenReply = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  token_type: z.string().regex(/^bearer$/i),
});

/** The chat's provider, as a client sees it (RFC 6749 section 4.1, with PKCE by S256). */
export interface ChatProvider {
  /** Where to send the browser. */
  authorizationUrl(asked: { readonly state: string; readonly verifier: string }): string;
  /**
   * Redeems the code, and asks whose it is.
   * @returns the number of the chat account
   * @throws ProviderError and nothing else
   */
  readChatId(answered: { readonly code: string; readonly verifier: string }): Promise<bigint>;
}

/** @param options.timeout milliseconds for each of the two questions */
export function createChatProvider(
  settings: ChatSignInSettings,
  { baseUrl, timeout = timeoutMs }: Pick<Settings, "baseUrl"> & { readonly timeout?: number },
): ChatProvider {
  const { authorizeUrl, tokenUrl, userUrl, userIdField } = settings;
  const client = new BoundedClient(settings, { redirectUri: baseUrl + chatCallbackPath, timeout });
  const ownScope = new URL(authorizeUrl).searchParams.has("scope");
  return {
    authorizationUrl: ({ state, verifier }) =>
      client
        .createAuthorizationURLWithPKCE(authorizeUrl, state, CodeChallengeMethod.S256, verifier, ownScope ? [] : scopes)
        .toString(),
    readChatId: async ({ code, verifier }) => {
      const tokens = await client.validateAuthorizationCode(tokenUrl, code, verifier);
      const headers = { authorization: `Bearer ${tokens.accessToken()}`, accept: "application/json" };
      const answer = await callProvider({ step: "user", url: userUrl, headers, timeoutMs: timeout });
      const chatId = chatIdOf(answer, userIdField);
      if (chatId === undefined) throw providerError("user", `no account's number in the field ${userIdField}`);
      return chatId;
    },
  };
}

/** arctic's own exchange follows redirects with the code, waits as long as it takes and reads whatever comes. */
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
    const pair = [clientId, clientSecret].map((half) => new URLSearchParams({ half }).toString().slice("half=".length));
    this.#authorization = `Basic ${Buffer.from(pair.join(":")).toString("base64")}`;
    this.#redirectUri = redirectUri;
    this.#timeout = timeout;
  }

  override async validateAuthorizationCode(url: string, code: string, verifier: string): Promise<OAuth2Tokens> {
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
