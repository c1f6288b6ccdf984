import { z } from "zod";
import { wrongSetting } from "./start-fault";
import { assertTrustworthy, optionalUrl } from "./url-settings";

/** The settings of the chat, as the environment names them. */
export const chatVariables = {
  CHAT_CLIENT_ID: z.string().optional(),
  CHAT_CLIENT_SECRET: z.string().optional(),
  CHAT_AUTHORIZE_URL: optionalUrl,
  CHAT_TOKEN_URL: optionalUrl,
  CHAT_USER_URL: optionalUrl,
  CHAT_USER_ID_FIELD: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be the name of a field")
    .optional(),
  CHAT_API_URL: optionalUrl,
  CHAT_BOT_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must have no spaces")
    .optional(),
  CHAT_PUBLIC_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
    .optional(),
};

type ChatEnvironment = z.infer<z.ZodObject<typeof chatVariables>>;

/** This product as a client of the chat's provider (OAuth 2.0). */
export interface ChatSignInSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Its query, if it has one, is kept; a `scope` there replaces ours. */
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Answers with a JSON object about the owner of the access token. */
  readonly userUrl: string;
  /** The field of that object that holds the user's id. */
  readonly userIdField: string;
}

/** This product as a bot of the chat. */
export interface ChatBotSettings {
  /** With the version, without a trailing slash. */
  readonly apiUrl: string;
  readonly token: string;
}

export function chatSignInOf(env: ChatEnvironment): ChatSignInSettings | undefined {
  const { CHAT_CLIENT_ID, CHAT_CLIENT_SECRET, CHAT_AUTHORIZE_URL, CHAT_TOKEN_URL, CHAT_USER_URL } =
    env;
  const urls = { CHAT_AUTHORIZE_URL, CHAT_TOKEN_URL, CHAT_USER_URL };
  if (
    CHAT_CLIENT_ID &&
    CHAT_CLIENT_SECRET &&
    CHAT_AUTHORIZE_URL &&
    CHAT_TOKEN_URL &&
    CHAT_USER_URL
  ) {
    for (const [name, url] of Object.entries(urls)) assertTrustworthy(name, url ?? "");
    return {
      clientId: CHAT_CLIENT_ID,
      clientSecret: CHAT_CLIENT_SECRET,
      authorizeUrl: CHAT_AUTHORIZE_URL,
      tokenUrl: CHAT_TOKEN_URL,
      userUrl: CHAT_USER_URL,
      userIdField: env.CHAT_USER_ID_FIELD ?? "id",
    };
  }
  const needed = Object.entries({ CHAT_CLIENT_ID, CHAT_CLIENT_SECRET, ...urls });
  if (needed.every(([, value]) => value === undefined) && env.CHAT_USER_ID_FIELD === undefined)
    return undefined;
  const missing = needed.find(([, value]) => value === undefined)?.[0];
  throw wrongSetting(
    `${missing} is missing: the settings of the chat sign-in must be set together, or none.`,
  );
}

export function chatBotOf({
  CHAT_API_URL,
  CHAT_BOT_TOKEN,
}: ChatEnvironment): ChatBotSettings | undefined {
  if (!CHAT_API_URL && !CHAT_BOT_TOKEN) return undefined;
  if (!CHAT_API_URL || !CHAT_BOT_TOKEN)
    throw wrongSetting("CHAT_API_URL and CHAT_BOT_TOKEN must be set together.");
  assertTrustworthy("CHAT_API_URL", CHAT_API_URL);
  return { apiUrl: CHAT_API_URL.replace(/\/+$/, ""), token: CHAT_BOT_TOKEN };
}
