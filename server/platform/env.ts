import { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import { type ChatBotSettings, type ChatSignInSettings, chatBotOf, chatSignInOf, chatVariables } from "./chat-settings";
import { daySeconds, hourSeconds } from "./durations";
import { type Rates, ratesOf, rateVariables } from "./rates";
import { isLoopback, optionalUrl } from "./setting";
import { wrongSetting } from "./start-fault";

/** The product's version, as its package says it. */
export const version: string = manifest.version;

const positive = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const Environment = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  PAGES_PROCESS: z.enum(["on", "off"]).default("off"),
  PAGES_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  BASE_URL: z.string().optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
    .optional(),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
    .optional(),
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
    .optional(),
  DATABASE_TIMEOUT_SECONDS: positive(4),
  DATABASE_JOB_TIMEOUT_SECONDS: positive(30),
  DRAIN_NOTICE_SECONDS: z.coerce.number().min(0).max(300).default(1.5),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must start with redis://")
    .optional(),
  UPSTASH_REDIS_REST_URL: optionalUrl,
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  SERVER_SECRET: z.string().optional(),
  SERVER_SECRET_PREVIOUS: z.string().optional(),
  GAME_API_URL: optionalUrl,
  GAME_CALLS: positive(900),
  GAME_NAME: z.string().trim().min(1).max(40).default("Torn"),
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(4100),
  ...chatVariables,
  ADMIN_USER_IDS: z
    .string()
    .regex(/^\d*(,\d+)*$/, "must be numbers separated by commas")
    .default(""),
  ADMIN_SECOND_FACTOR: z.enum(["required", "waived"]).default("required"),
  WEBHOOK_LOOPBACK: z.enum(["refused", "allowed"]).default("refused"),
  TRUSTED_PROXIES: z.string().default(""),
  TRUSTED_PLATFORM_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, "must be the name of a header")
    .transform((name) => name.toLowerCase())
    .optional(),
  JOBS: z.enum(["inline", "off"]).default("inline"),
  DEMO: z.enum(["0", "1", "still"]).optional(),
  ACCESS_LOG: z.enum(["on", "off"]).default("off"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  TOKEN_CACHE: z.enum(["on", "off"]).default("on"),
  CODE_SECONDS: positive(60),
  ACCESS_SECONDS: positive(hourSeconds),
  ACCESS_PUBLIC_SECONDS: positive(daySeconds),
  REFRESH_IDLE_SECONDS: positive(30 * daySeconds),
  REFRESH_MAX_SECONDS: positive(180 * daySeconds),
  REFRESH_REUSE_SECONDS: positive(30),
  SESSION_SECONDS: positive(31 * daySeconds),
  APPLICATIONS_PER_DEVELOPER: positive(50),
  CONFIRMATION_SECONDS: positive(7_200),
  ...rateVariables,
});

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(Environment.shape);

/** The parsed settings. Durations in seconds, limits in calls per clock minute. */
export interface Settings {
  readonly development: boolean;
  readonly port: number;
  readonly host: string;
  /** Where this process tells what it measures. Undefined: nowhere. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined;
  /** Whether pages are rendered in a process of their own, and where that one tells what it measures. */
  readonly pagesProcess: { readonly metrics: Settings["metrics"] } | undefined;
  /** Scheme, host and port, no path, no trailing slash. The issuer. */
  readonly baseUrl: string;
  /** Whether BASE_URL is https: cookies are Secure and prefixed, HSTS is sent. */
  readonly https: boolean;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** The same database past a pooler: for `LISTEN`, and for locks that belong to a session. */
  readonly databaseDirectUrl: string | undefined;
  /** A streaming replica of it, for lists. */
  readonly databaseReplicaUrl: string | undefined;
  /** Seconds for a statement or a transaction of a request, and for one of a job. */
  readonly databaseTimeout: number;
  readonly databaseJobTimeout: number;
  /** Seconds between "not ready" and refusing connections, in which a load balancer looks elsewhere. */
  readonly drainNotice: number;
  readonly redis: { readonly url: string } | { readonly restUrl: string; readonly restToken: string } | undefined;
  /** Undefined on PGlite without the setting: generated into the data directory. */
  readonly serverSecret: string | undefined;
  readonly previousServerSecret: string | undefined;
  /** Undefined: the simulated game. */
  readonly gameApiUrl: string | undefined;
  /** What pages call the game. */
  readonly gameName: string;
  /** Calls to the game in any 60 seconds, of all processes together. */
  readonly gameCallsAMinute: number;
  /** Of `npm run simulator` alone. */
  readonly simulatorPort: number;
  /** Undefined: nobody signs in with a chat account. */
  readonly chatSignIn: ChatSignInSettings | undefined;
  /** The chat's REST API for our bot. Undefined: messages are recorded and shown to nobody. */
  readonly chatBot: ChatBotSettings | undefined;
  /** With which the chat signs what its users do; 64 hexadecimal digits. Undefined: nothing is accepted from the chat. */
  readonly chatPublicKey: string | undefined;
  readonly adminUserIds: readonly number[];
  /** Whether the pages and acts of an admin want a second factor. */
  readonly adminSecondFactor: "required" | "waived";
  /** Whether webhooks may also go to a loopback address, over plain http and on any port. */
  readonly webhookLoopback: "refused" | "allowed";
  readonly trustedProxies: readonly string[];
  /** Where Next serves by itself: the header in which the platform names the caller's address. */
  readonly trustedPlatformHeader: string | undefined;
  readonly jobs: "inline" | "off";
  /** Whether the sign-in page offers the demo players, and whether anything goes on in their world by itself. */
  readonly demo: "off" | "still" | "alive";
  readonly logLevel: string;
  /** Whether each request is a line of the log. */
  readonly accessLog: boolean;
  readonly tokenCache: boolean;
  /** How many applications one account may register. */
  readonly applicationsPerDeveloper: number;
  readonly lifetimes: Lifetimes;
  readonly rates: Rates;
}

export interface Lifetimes {
  readonly code: number;
  readonly access: number;
  readonly accessPublic: number;
  readonly refreshIdle: number;
  readonly refreshMax: number;
  readonly refreshReuse: number;
  readonly session: number;
  /** How long a proof by game key or second factor counts for sensitive acts. */
  readonly confirmation: number;
}

/**
 * Parses the environment once. An empty one is a working product on embedded parts.
 * @throws WrongSetting with a sentence that names the setting
 */
export function parseEnvironment(source: Readonly<Record<string, string | undefined>>): Settings {
  // An empty variable is one that somebody left blank, not a value.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw wrongSetting(`${issue?.path.join(".")} is wrong: ${issue?.message}.`);
  }
  const env = parsed.data;
  const base = baseUrlOf(env.BASE_URL ?? `http://localhost:${env.PORT}`);
  return {
    development: env.NODE_ENV === "development",
    port: env.PORT,
    host: env.HOST,
    metrics: metricsOf(env),
    pagesProcess: pagesProcessOf(env),
    baseUrl: base.origin,
    https: base.protocol === "https:",
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databaseReplicaUrl: env.DATABASE_REPLICA_URL,
    databaseTimeout: env.DATABASE_TIMEOUT_SECONDS,
    databaseJobTimeout: env.DATABASE_JOB_TIMEOUT_SECONDS,
    drainNotice: env.DRAIN_NOTICE_SECONDS,
    redis: redisOf(env),
    serverSecret: secretOf("SERVER_SECRET", env.SERVER_SECRET, env.DATABASE_URL !== undefined),
    previousServerSecret: secretOf("SERVER_SECRET_PREVIOUS", env.SERVER_SECRET_PREVIOUS, false),
    gameApiUrl: env.GAME_API_URL,
    gameCallsAMinute: env.GAME_CALLS,
    gameName: env.GAME_NAME,
    simulatorPort: env.SIMULATOR_PORT,
    chatSignIn: chatSignInOf(env),
    chatBot: chatBotOf(env),
    chatPublicKey: env.CHAT_PUBLIC_KEY,
    adminUserIds: env.ADMIN_USER_IDS.split(",").filter(Boolean).map(Number),
    adminSecondFactor: adminSecondFactorOf(env.ADMIN_SECOND_FACTOR, base),
    webhookLoopback: webhookLoopbackOf(env.WEBHOOK_LOOPBACK, base),
    trustedProxies: env.TRUSTED_PROXIES.split(",")
      .map((entry) => entry.trim())
      .filter(Boolean),
    trustedPlatformHeader: env.TRUSTED_PLATFORM_HEADER,
    jobs: env.JOBS,
    demo: demoOf(env.DEMO, env.GAME_API_URL, base),
    logLevel: env.LOG_LEVEL,
    accessLog: env.ACCESS_LOG === "on",
    tokenCache: env.TOKEN_CACHE === "on",
    applicationsPerDeveloper: env.APPLICATIONS_PER_DEVELOPER,
    lifetimes: {
      code: env.CODE_SECONDS,
      access: env.ACCESS_SECONDS,
      accessPublic: env.ACCESS_PUBLIC_SECONDS,
      refreshIdle: env.REFRESH_IDLE_SECONDS,
      refreshMax: env.REFRESH_MAX_SECONDS,
      refreshReuse: env.REFRESH_REUSE_SECONDS,
      session: env.SESSION_SECONDS,
      confirmation: env.CONFIRMATION_SECONDS,
    },
    rates: ratesOf(env),
  };
}

/** The process's own settings. The one place that reads `process.env`. */
export const readSettings = (): Settings => parseEnvironment(process.env);

function baseUrlOf(text: string): URL {
  if (!URL.canParse(text)) throw wrongSetting(`BASE_URL is wrong: "${text}" is no address.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw wrongSetting("BASE_URL must be http or https.");
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password)
    throw wrongSetting("BASE_URL must be scheme, host and port alone, without a path.");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw wrongSetting("BASE_URL must be https: plain http is allowed on the loopback address only.");
  return url;
}

function metricsOf({ METRICS_PORT: port, METRICS_HOST: host, PORT }: z.infer<typeof Environment>): Settings["metrics"] {
  if (port === undefined) return undefined;
  if (port === PORT) throw wrongSetting("METRICS_PORT must be another port than PORT.");
  return { port, host };
}

function pagesProcessOf(env: z.infer<typeof Environment>): Settings["pagesProcess"] {
  if (env.PAGES_PROCESS === "off") return undefined;
  if (!env.DATABASE_URL)
    throw wrongSetting("PAGES_PROCESS=on needs DATABASE_URL: the embedded database belongs to one process.");
  const { PAGES_METRICS_PORT: port, METRICS_HOST: host } = env;
  if (port !== undefined && (port === env.PORT || port === env.METRICS_PORT))
    throw wrongSetting("PAGES_METRICS_PORT must be another port than PORT and METRICS_PORT.");
  return { metrics: port === undefined ? undefined : { port, host } };
}

function redisOf(env: z.infer<typeof Environment>): Settings["redis"] {
  if (env.REDIS_URL) return { url: env.REDIS_URL };
  if (!env.UPSTASH_REDIS_REST_URL && !env.UPSTASH_REDIS_REST_TOKEN) return undefined;
  if (env.UPSTASH_REDIS_REST_URL && env.UPSTASH_REDIS_REST_TOKEN)
    return { restUrl: env.UPSTASH_REDIS_REST_URL, restToken: env.UPSTASH_REDIS_REST_TOKEN };
  throw wrongSetting("UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN must be set together.");
}

function secretOf(name: string, value: string | undefined, required: boolean): string | undefined {
  if (value === undefined) {
    if (required) throw wrongSetting(`${name} is missing: with DATABASE_URL it must be set (openssl rand -base64 48).`);
    return undefined;
  }
  // 32 random bytes are 43 characters of base64; repetition of a few characters is a placeholder, not a secret.
  if (value.length < 43 || new Set(value).size < 12)
    throw wrongSetting(`${name} is too weak: it must hold at least 32 random bytes (openssl rand -base64 48).`);
  return value;
}

function adminSecondFactorOf(requested: Settings["adminSecondFactor"], base: URL): Settings["adminSecondFactor"] {
  if (requested === "waived" && !isLoopback(base.hostname))
    throw wrongSetting(
      "ADMIN_SECOND_FACTOR=waived is allowed with a loopback BASE_URL only: elsewhere an admin needs a second factor.",
    );
  return requested;
}

function webhookLoopbackOf(requested: Settings["webhookLoopback"], base: URL): Settings["webhookLoopback"] {
  if (requested === "allowed" && !isLoopback(base.hostname))
    throw wrongSetting(
      "WEBHOOK_LOOPBACK=allowed is allowed with a loopback BASE_URL only: elsewhere webhooks would reach into this machine.",
    );
  return requested;
}

function demoOf(
  requested: "0" | "1" | "still" | undefined,
  gameApiUrl: string | undefined,
  base: URL,
): Settings["demo"] {
  if (gameApiUrl) return "off";
  const loopback = isLoopback(base.hostname);
  if (!loopback && requested !== "1")
    throw wrongSetting("GAME_API_URL is missing: the simulated game under a public BASE_URL starts only with DEMO=1.");
  if (requested === "0") return "off";
  return requested === "still" ? "still" : "alive";
}
