import { declaredSettings, type GivenSettings } from "./environment-variables";
import { wrongSetting } from "./start-fault";
import { assertTrustworthy } from "./url-settings";

type ChatEnvironment = Pick<GivenSettings, "chatSignIn" | "chatBot">;

export interface ChatSignInSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** An existing query is kept; its `scope` overrides ours. */
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Returns a JSON object about the access token's owner. */
  readonly userUrl: string;
  readonly userIdField: string;
}

export interface ChatBotSettings {
  /** With the version, without a trailing slash. */
  readonly apiUrl: string;
  readonly token: string;
}

export function chatSignInOf({
  chatSignIn: { userIdField, ...needed },
}: ChatEnvironment): ChatSignInSettings | undefined {
  const { clientId, clientSecret, authorizeUrl, tokenUrl, userUrl } = needed;
  const variables = declaredSettings.chatSignIn;
  if (clientId && clientSecret && authorizeUrl && tokenUrl && userUrl) {
    const urls = { authorizeUrl, tokenUrl, userUrl };
    for (const [name, url] of Object.entries(urls))
      assertTrustworthy(variables[name as keyof typeof urls].variable, url);
    return { clientId, clientSecret, ...urls, userIdField: userIdField ?? "id" };
  }
  const missing = Object.keys(needed).filter((name) => !needed[name as keyof typeof needed]);
  if (missing.length === Object.keys(needed).length && userIdField === undefined) return undefined;
  throw wrongSetting(
    `${variables[missing[0] as keyof typeof needed].variable} is missing: the settings of the chat sign-in must be set together, or none.`,
  );
}

export function chatBotOf({
  chatBot: { apiUrl, token },
}: ChatEnvironment): ChatBotSettings | undefined {
  if (!apiUrl && !token) return undefined;
  if (!apiUrl || !token)
    throw wrongSetting("CHAT_API_URL and CHAT_BOT_TOKEN must be set together.");
  assertTrustworthy("CHAT_API_URL", apiUrl);
  return { apiUrl: apiUrl.replace(/\/+$/, ""), token };
}
