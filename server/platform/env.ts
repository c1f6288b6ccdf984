import manifest from "../../package.json" with { type: "json" };
import {
  type ChatBotSettings,
  type ChatSignInSettings,
  chatBotOf,
  chatSignInOf,
} from "./chat-settings";
import { Environment, type Rates, ratesOf } from "./environment-variables";
import {
  adminSecondFactorOf,
  demoOf,
  metricsOf,
  poolSizesOf,
  type RedisAddress,
  redisOf,
  secretOf,
  serverlessOf,
  webhookLoopbackOf,
} from "./setting-rules";
import { wrongSetting } from "./start-fault";
import { baseUrlOf } from "./url-settings";

/** The product's version, as its package says it. */
export const version: string = manifest.version;

/** The parsed settings. Durations in seconds, limits in calls per clock minute. */
export interface Settings {
  readonly development: boolean;
  readonly port: number;
  readonly host: string;
  /** The address at which this process serves its metrics. Undefined: none. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined;
  /** Scheme, host and port, no path, no trailing slash. The issuer. */
  readonly baseUrl: string;
  /** Whether BASE_URL is https: cookies are Secure and prefixed, HSTS is sent. */
  readonly https: boolean;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** The same database past a pooler: for `LISTEN`, and for locks that belong to a session. */
  readonly databaseDirectUrl: string | undefined;
  /** Connections of the pools whose size is set: for requests, the token endpoint, look-ups by key, and jobs. */
  readonly databasePools: Readonly<Partial<Record<"general" | "token" | "key" | "job", number>>>;
  /** Seconds for a statement or a transaction of a request, and for one of a job. */
  readonly databaseTimeout: number;
  readonly databaseJobTimeout: number;
  /** Seconds between "not ready" and refusing connections, in which a load balancer looks elsewhere. */
  readonly drainNotice: number;
  readonly redis: RedisAddress | undefined;
  /** Undefined on PGlite without the setting: generated into the data directory; and where none is needed. */
  readonly serverSecret: string | undefined;
  readonly previousServerSecret: string | undefined;
  /** Undefined: the simulated game. */
  readonly gameApiUrl: string | undefined;
  /** The game's name on pages. */
  readonly gameName: string;
  /** The operator's privacy policy and terms, and an address to reach the operator. */
  readonly policyUrl: string | undefined;
  readonly termsUrl: string | undefined;
  readonly contactUrl: string | undefined;
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
  /**
   * Where a platform starts Next for calls and stops it between them: the token with which its timetable has jobs run, and for how
   * many seconds at a time.
   */
  readonly serverless: { readonly cronSecret: string; readonly cronSeconds: number } | undefined;
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
  /** How long a proof by game key, second factor or passkey counts for sensitive acts. */
  readonly confirmation: number;
}

/** The settings that a process cannot do without. */
export interface Needs {
  /** False for what opens nothing that is sealed, such as a restore. */
  readonly serverSecret: boolean;
}

/**
 * Parses the environment once. An empty one is a working product on embedded parts.
 * @throws WrongSetting with a sentence that names the setting
 */
export function parseEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  needs: Needs = { serverSecret: true },
): Settings {
  // An empty variable is one that somebody left blank, not a value.
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw wrongSetting(`${issue?.path.join(".")} is wrong: ${issue?.message}.`);
  }
  const env = parsed.data;
  const serverless = serverlessOf(env);
  const base = baseUrlOf(env.BASE_URL ?? `http://localhost:${env.PORT}`);
  return {
    development: env.NODE_ENV === "development",
    port: env.PORT,
    host: env.HOST,
    metrics: metricsOf(env),
    baseUrl: base.origin,
    https: base.protocol === "https:",
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databasePools: poolSizesOf(env),
    databaseTimeout: env.DATABASE_TIMEOUT_SECONDS,
    databaseJobTimeout: env.DATABASE_JOB_TIMEOUT_SECONDS,
    drainNotice: env.DRAIN_NOTICE_SECONDS,
    redis: redisOf(env),
    serverSecret: secretOf(
      "SERVER_SECRET",
      env.SERVER_SECRET,
      needs.serverSecret && env.DATABASE_URL !== undefined,
    ),
    previousServerSecret: secretOf("SERVER_SECRET_PREVIOUS", env.SERVER_SECRET_PREVIOUS, false),
    gameApiUrl: env.GAME_API_URL,
    gameCallsAMinute: env.GAME_CALLS,
    gameName: env.GAME_NAME,
    policyUrl: env.POLICY_URL,
    termsUrl: env.TERMS_URL,
    contactUrl: env.CONTACT_URL,
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
    jobs: serverless ? "off" : env.JOBS,
    serverless,
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
export const readSettings = (needs?: Needs): Settings => parseEnvironment(process.env, needs);
