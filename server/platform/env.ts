import manifest from "../../package.json" with { type: "json" };
import { declaredSettings, type GivenSettings, parseVariables } from "./environment-variables";
import { isLoopback, parsePlainOrigin } from "./plain-origin";
import { wrongSetting } from "./start-fault";

export const version: string = manifest.version;

export type Settings = ReturnType<typeof parseEnvironment>;

export interface RequiredSettings {
  /** False for commands that open nothing sealed. */
  readonly serverSecret: boolean;
}

type Given = Omit<GivenSettings, "nodeEnv">;

export function parseEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  needs: RequiredSettings = { serverSecret: true },
) {
  const { nodeEnv, ...given } = parseVariables(source);
  const serverless = serverlessOf(given);
  const base = baseUrlOf(given.baseUrl ?? `http://localhost:${given.port}`);
  if (given.adminSecondFactor === "waived")
    assertLoopback(base, "ADMIN_SECOND_FACTOR=waived", "an admin needs a second factor");
  if (given.webhookLoopback === "allowed")
    assertLoopback(base, "WEBHOOK_LOOPBACK=allowed", "webhooks would reach into this machine");
  return {
    ...given,
    development: nodeEnv === "development",
    metrics: metricsOf(given),
    /** Used as the issuer, too (RFC 8414). */
    baseUrl: base.origin,
    https: base.protocol === "https:",
    databasePools: poolSizesOf(given),
    redis: redisOf(given),
    /** Undefined on PGlite, where the secret is generated in the data directory. */
    serverSecret: secretOf(
      "SERVER_SECRET",
      given.serverSecret,
      needs.serverSecret && given.databaseUrl !== undefined,
    ),
    previousServerSecret: secretOf("SERVER_SECRET_PREVIOUS", given.previousServerSecret, false),
    chatSignIn: chatSignInOf(given),
    chatBot: chatBotOf(given),
    jobs: serverless ? ("off" as const) : given.jobs,
    serverless,
    demo: demoOf(given, base),
    accessLog: given.accessLog === "on",
    tokenCache: given.tokenCache === "on",
  };
}

/** The only place that reads `process.env`. */
export const readSettings = (needs?: RequiredSettings): Settings =>
  parseEnvironment(process.env, needs);

function metricsOf({ metrics: { port, host }, port: ofServer }: Given) {
  if (port === undefined) return undefined;
  if (port === ofServer) throw wrongSetting("METRICS_PORT must be another port than PORT.");
  return { port, host };
}

/** A process that is frozen between calls needs an external database, scheduler and limiter. */
function serverlessOf(given: Given) {
  const { state, cronSecret, cronSeconds } = given.serverless;
  if (state === "off") return undefined;
  if (!given.databaseUrl) throw wrongSetting("SERVERLESS=on needs DATABASE_URL.");
  if (!given.trustedPlatformHeader)
    throw wrongSetting("SERVERLESS=on needs TRUSTED_PLATFORM_HEADER.");
  if (!cronSecret) throw wrongSetting("SERVERLESS=on needs CRON_SECRET.");
  if (!redisOf(given))
    throw wrongSetting(
      "SERVERLESS=on needs UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or REDIS_URL: each of its processes would count limits for itself.",
    );
  return { cronSecret, cronSeconds };
}

type RedisAddress =
  | { readonly url: string; readonly caFile?: string | undefined }
  | { readonly restUrl: string; readonly restToken: string };

function redisOf({ redis }: Given): RedisAddress | undefined {
  const { url, caFile, restUrl, restToken } = redis;
  if (caFile && !url?.startsWith("rediss://"))
    throw wrongSetting(
      "REDIS_CA_FILE needs a REDIS_URL that begins with rediss://: without TLS nothing is verified.",
    );
  if (url) return { url, caFile };
  if (!restUrl && !restToken) return undefined;
  if (restUrl && restToken) return { restUrl, restToken };
  throw wrongSetting("UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN must be set together.");
}

const poolSizesOf = ({ databasePools }: Given) =>
  Object.fromEntries(
    Object.entries(databasePools).filter(([, size]) => size !== undefined),
  ) as Readonly<Partial<Record<keyof typeof databasePools, number>>>;

function secretOf(name: string, value: string | undefined, required: boolean): string | undefined {
  if (value === undefined) {
    if (required)
      throw wrongSetting(
        `${name} is missing: with DATABASE_URL it must be set. A database that was written before needs the one of then, a new database a new one (openssl rand -base64 48).`,
      );
    return undefined;
  }
  // 32 random bytes are 43 characters of base64. Few distinct characters indicate a placeholder.
  if (value.length < 43 || new Set(value).size < 12)
    throw wrongSetting(
      `${name} is too weak: it must hold at least 32 random bytes (openssl rand -base64 48).`,
    );
  return value;
}

function assertLoopback({ hostname }: URL, setting: string, otherwise: string): void {
  if (!isLoopback(hostname))
    throw wrongSetting(
      `${setting} is allowed with a loopback BASE_URL only: elsewhere ${otherwise}.`,
    );
}

function demoOf({ demo, gameApiUrl }: Given, base: URL): "off" | "still" | "alive" {
  if (gameApiUrl) return "off";
  if (!isLoopback(base.hostname) && demo !== "1")
    throw wrongSetting(
      "GAME_API_URL is missing: the simulated game under a public BASE_URL starts only with DEMO=1.",
    );
  if (demo === "0") return "off";
  return demo === "still" ? "still" : "alive";
}

export type ChatSignInSettings = NonNullable<Settings["chatSignIn"]>;

function chatSignInOf({ chatSignIn: { userIdField, ...needed } }: Given) {
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

function chatBotOf({ chatBot: { apiUrl, token } }: Given) {
  if (!apiUrl && !token) return undefined;
  if (!apiUrl || !token)
    throw wrongSetting("CHAT_API_URL and CHAT_BOT_TOKEN must be set together.");
  assertTrustworthy("CHAT_API_URL", apiUrl);
  return { apiUrl: apiUrl.replace(/\/+$/, ""), token };
}

/** Refuses a URL on which a session or the bot's token could be read in transit. */
function assertTrustworthy(name: string, text: string): void {
  const url = new URL(text);
  if (url.hash || url.username || url.password)
    throw wrongSetting(`${name} is wrong: it must have no user, password or fragment.`);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw wrongSetting(
      `${name} must be https: plain http is allowed on the loopback address only.`,
    );
  if (!parsePlainOrigin(url.origin))
    throw wrongSetting(`${name} is wrong: its host must be a name.`);
}

function baseUrlOf(text: string): URL {
  if (!URL.canParse(text)) throw wrongSetting(`BASE_URL is wrong: "${text}" is no address.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw wrongSetting("BASE_URL must be http or https.");
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password)
    throw wrongSetting("BASE_URL must be scheme, host and port alone, without a path.");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw wrongSetting(
      "BASE_URL must be https: plain http is allowed on the loopback address only.",
    );
  return url;
}
