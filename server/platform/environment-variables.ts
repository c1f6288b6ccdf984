import { z } from "zod";
import { wrongSetting } from "./start-fault";
import { daySeconds, hourSeconds } from "./time";

/** `npm run settings` writes these into README.md. */
interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly variable: string;
  readonly schema: Schema;
  /** Markdown for README.md, where a setting without words has no row. */
  readonly words?: string;
  /** Replaces the parser's default in README.md. */
  readonly unset?: string;
}

const setting = <Schema extends z.ZodType>(
  variable: string,
  schema: Schema,
  words?: string,
  unset?: string,
): Setting<Schema> => ({ variable, schema, words, unset });

const text = z.string().optional();
const optionalUrl = z.url({ protocol: /^https?$/ }).optional();

const publicAddress = ({ mail = false } = {}) =>
  z
    .url({
      protocol: mail ? /^(?:https|mailto)$/ : /^https$/,
      error: `must be an https${mail ? " or mailto" : ""} URL`,
    })
    .max(500)
    .optional();
const positive = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const portNumber = z.coerce.number().int().max(65_535);
const poolSize = (least: number) => z.coerce.number().int().min(least).max(200).optional();
const onOff = (fallback: "on" | "off") => z.enum(["on", "off"]).default(fallback);
const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
  .optional();

/** Durations in seconds, rates in calls per clock minute. */
export const declaredSettings = {
  nodeEnv: setting("NODE_ENV", z.string().default("production")),
  port: setting("PORT", portNumber.min(0).default(3000), "where the server listens"),
  host: setting("HOST", z.string().default("127.0.0.1"), "the address that it listens on"),
  baseUrl: setting(
    "BASE_URL",
    text,
    "scheme, host and port, without a path: plain http on loopback only. Passkeys are made for its host: another host needs new ones",
    "`http://localhost:$PORT`",
  ),
  dataDir: setting(
    "DATA_DIR",
    z.string().default(".data"),
    "the embedded database and the generated secret",
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    postgresAddress,
    "PostgreSQL 15 or newer, in libpq's words: `sslmode` (`disable`, `prefer`, `require`, `verify-ca`, `verify-full`) with `sslrootcert`, `sslcert` and `sslkey` as files, and `sslpassword` for a sealed key; a Unix socket as `postgres://user@/database?host=/var/run/postgresql`; several servers as `host1,host2`, with `target_session_attrs=read-write` where they are replicas of each other",
    "unset: PGlite",
  ),
  databaseDirectUrl: setting(
    "DATABASE_DIRECT_URL",
    postgresAddress,
    "the same database past a pooler: for `LISTEN`, and for the lock under which the schema is brought up to date. Set it wherever `DATABASE_URL` leads through one",
    "`DATABASE_URL`",
  ),
  databaseTimeout: setting(
    "DATABASE_TIMEOUT_SECONDS",
    positive(4),
    "how long a call waits for a statement or a transaction on PostgreSQL. Past it the connection is destroyed, and the call ends as 503 with `Retry-After`; so does a call that found no free connection for half of that time",
  ),
  databaseJobTimeout: setting("DATABASE_JOB_TIMEOUT_SECONDS", positive(30), "the same for a job"),
  databasePools: {
    // At least two, because a waiting transaction may block others.
    general: setting(
      "DATABASE_POOL_SIZE",
      poolSize(2),
      "connections that a process opens to PostgreSQL at most, for transactions, writes and lists of requests. One more listens. Functions of a platform open one whatever is set",
      "8",
    ),
    token: setting("DATABASE_TOKEN_POOL_SIZE", poolSize(2), "those for the token endpoint", "5"),
    key: setting(
      "DATABASE_KEY_POOL_SIZE",
      poolSize(1),
      "those for look-ups by key, which share one by pipelining",
      "1 (4 behind a pooler)",
    ),
    job: setting("DATABASE_JOB_POOL_SIZE", poolSize(1), "those for jobs", "4"),
  },
  drainNotice: setting(
    "DRAIN_NOTICE_SECONDS",
    z.coerce.number().min(0).max(300).default(1.5),
    "how long an instance that ends goes on while `/health/ready` says no: longer than your load balancer needs to look elsewhere",
  ),
  redis: {
    url: setting(
      "REDIS_URL",
      z
        .string()
        .regex(/^rediss?:\/\//, "must start with redis://, or rediss:// for TLS")
        .optional(),
      "rate-limit counters shared by all instances; `rediss://` for TLS, where the certificate is always verified",
      "unset: in this process",
    ),
    caFile: setting(
      "REDIS_CA_FILE",
      text,
      "with `rediss://`: a file of the certificates (PEM) of the authority that signed Redis's, in place of the system's",
      "the system's authorities",
    ),
    restUrl: setting(
      "UPSTASH_REDIS_REST_URL",
      optionalUrl,
      "a Redis over HTTP, in place of `REDIS_URL`",
    ),
    restToken: setting("UPSTASH_REDIS_REST_TOKEN", text, "its token"),
  },
  serverSecret: setting(
    "SERVER_SECRET",
    text,
    "at least 32 random bytes (`openssl rand -base64 48`); every key is derived from it. To change it, move the old one to `SERVER_SECRET_PREVIOUS`: sessions stay valid. A process with a wrong secret does not start",
    "generated into `DATA_DIR` on PGlite, required with `DATABASE_URL`",
  ),
  previousServerSecret: setting(
    "SERVER_SECRET_PREVIOUS",
    text,
    "the secret before. Several instances that change one after the other first all get the new one here, then exchange the two",
  ),
  gameApiUrl: setting(
    "GAME_API_URL",
    optionalUrl,
    "the game's API, version 2, with its path",
    "unset: the simulated game",
  ),
  gameName: setting(
    "GAME_NAME",
    z.string().trim().min(1).max(40).default("Torn"),
    "what pages call the game",
  ),
  gameCallsAMinute: setting(
    "GAME_CALLS",
    positive(900),
    "calls to the game in any 60 seconds, of all processes on one database together; the game allows an address 1,000. Lower it where other tools share the address, raise it where instances have addresses of their own",
  ),
  policyUrl: setting(
    "POLICY_URL",
    publicAddress(),
    "privacy policy of this service (https): linked at the foot of every page, and `op_policy_uri` of the metadata",
  ),
  termsUrl: setting(
    "TERMS_URL",
    publicAddress(),
    "its terms (https): linked at the foot, and `op_tos_uri`",
  ),
  contactUrl: setting(
    "CONTACT_URL",
    publicAddress({ mail: true }),
    "how to reach its operator (https, or `mailto:`): linked at the foot",
  ),
  chatBot: {
    apiUrl: setting(
      "CHAT_API_URL",
      optionalUrl,
      "the chat's REST API, with its version (`https://discord.com/api/v10`); set together with `CHAT_BOT_TOKEN`. See [docs/chat.md](docs/chat.md)",
      "unset: messages are recorded and not sent",
    ),
    token: setting(
      "CHAT_BOT_TOKEN",
      z
        .string()
        .regex(/^[\x21-\x7e]+$/, "must have no spaces")
        .optional(),
      "the token of our bot there",
    ),
  },
  chatPublicKey: setting(
    "CHAT_PUBLIC_KEY",
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
      .optional(),
    "the key with which the chat signs what its users do, 64 hexadecimal digits",
    "unset: commands and buttons are off",
  ),
  chatSignIn: {
    clientId: setting(
      "CHAT_CLIENT_ID",
      text,
      "sign-in with the chat account, by OAuth 2.0 with PKCE: all five or none. Register `{BASE_URL}/sign-in/chat/callback` with the chat",
      "unset: no chat sign-in",
    ),
    clientSecret: setting("CHAT_CLIENT_SECRET", text, "its secret"),
    authorizeUrl: setting(
      "CHAT_AUTHORIZE_URL",
      optionalUrl,
      "the chat's authorization endpoint; a `scope` in its query replaces `openid identify`",
    ),
    tokenUrl: setting("CHAT_TOKEN_URL", optionalUrl, "its token endpoint"),
    userUrl: setting(
      "CHAT_USER_URL",
      optionalUrl,
      "answers with JSON about the account that the token belongs to",
    ),
    userIdField: setting(
      "CHAT_USER_ID_FIELD",
      z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be the name of a field")
        .optional(),
      "the field of that JSON with the account's number",
      "`id`",
    ),
  },
  adminUserIds: setting(
    "ADMIN_USER_IDS",
    z
      .string()
      .regex(/^\d*(,\d+)*$/, "must be numbers separated by commas")
      .default("")
      .transform((ids): readonly number[] => ids.split(",").filter(Boolean).map(Number)),
    "ids of the players that may open `/admin`",
    "none",
  ),
  adminSecondFactor: setting(
    "ADMIN_SECOND_FACTOR",
    z.enum(["required", "waived"]).default("required"),
    "what `/admin` wants of an admin besides being named: a second factor that is set up and passed in the session, by a code or a passkey. `waived` for trying it out, with a loopback `BASE_URL` only",
  ),
  webhookLoopback: setting(
    "WEBHOOK_LOOPBACK",
    z.enum(["refused", "allowed"]).default("refused"),
    "`allowed`: webhooks and proofs of a domain may also go to `localhost`, `127.0.0.1` and `[::1]`, over plain http and on any port, for developing a receiver; with a loopback `BASE_URL` only. Every other target stays https on a public address",
  ),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    z
      .string()
      .default("")
      .transform((list): readonly string[] =>
        list
          .split(",")
          .map((entry) => entry.trim())
          .filter(Boolean),
      ),
    "addresses or networks of proxies. Their `X-Forwarded-For` and `X-Request-Id` (16 to 64 letters, digits, `-`, `_`) are trusted",
    "none",
  ),
  trustedPlatformHeader: setting(
    "TRUSTED_PLATFORM_HEADER",
    z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, "must be the name of a header")
      .transform((name) => name.toLowerCase())
      .optional(),
    "for `next start` and serverless platforms alone: the header in which the platform writes the caller's address, over whatever a caller sent (`x-vercel-forwarded-for`, `cf-connecting-ip`). The production server never reads it",
    "unset: addresses are unknown",
  ),
  serverless: {
    state: setting(
      "SERVERLESS",
      onOff("off"),
      "`on`, for platforms that start Next for calls and stop it between them: see [docs/operations.md](docs/operations.md#on-a-serverless-platform)",
    ),
    cronSecret: setting(
      "CRON_SECRET",
      z.string().min(32, "must be at least 32 characters").optional(),
      "the bearer token (32 characters or more) with which the platform's timetable asks for `/cron/jobs`",
    ),
    cronSeconds: setting("CRON_SECONDS", positive(50), "how long jobs run there"),
  },
  jobs: setting(
    "JOBS",
    z.enum(["inline", "off"]).default("inline"),
    "`off` where `npm run worker` runs them",
  ),
  demo: setting(
    "DEMO",
    z.enum(["0", "1", "still"]).optional(),
    "the sign-in page offers demo players, and their faction has attacks, delays and payments all the time; `/demo` triggers more. `still`: nothing happens by itself. `0`: off",
    "`1` with the simulated game on loopback",
  ),
  simulatorPort: setting(
    "SIMULATOR_PORT",
    portNumber.min(0).default(4100),
    "where `npm run simulator` listens, on the loopback address",
  ),
  logLevel: setting(
    "LOG_LEVEL",
    z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
    "`trace` … `error`, `silent`",
  ),
  accessLog: setting(
    "ACCESS_LOG",
    onOff("off"),
    "`on`: each request is a line of the log (level `info`): method, route template, status, duration, request id, application; no address, no query, no secret",
  ),
  metrics: {
    port: setting(
      "METRICS_PORT",
      portNumber.min(1).optional(),
      "where this process serves Prometheus (`/metrics`) and the state of its parts (`/health`). Each server and worker needs a port of its own. It asks for no sign-in: let only your monitoring reach it",
      "unset: nowhere",
    ),
    host: setting("METRICS_HOST", z.string().default("127.0.0.1"), "the address of that port"),
  },
  tokenCache: setting(
    "TOKEN_CACHE",
    onOff("on"),
    "a token, and the record that its holder reads of themselves, are remembered for 0.8 seconds",
  ),
  applicationsPerDeveloper: setting(
    "APPLICATIONS_PER_DEVELOPER",
    positive(50),
    "applications that one account may register",
  ),
  lifetimes: {
    code: setting("CODE_SECONDS", positive(60), "lifetime of an authorization code"),
    access: setting("ACCESS_SECONDS", positive(hourSeconds), "of an access token"),
    accessPublic: setting(
      "ACCESS_PUBLIC_SECONDS",
      positive(daySeconds),
      "of an access token of a public application",
    ),
    refreshIdle: setting(
      "REFRESH_IDLE_SECONDS",
      positive(30 * daySeconds),
      "of a refresh token that is not used",
    ),
    refreshMax: setting(
      "REFRESH_MAX_SECONDS",
      positive(180 * daySeconds),
      "of a grant, however often it is refreshed",
    ),
    refreshReuse: setting(
      "REFRESH_REUSE_SECONDS",
      positive(30),
      "how long a used refresh token gets the same reply again",
    ),
    session: setting("SESSION_SECONDS", positive(31 * daySeconds), "lifetime of a session"),
    confirmation: setting(
      "CONFIRMATION_SECONDS",
      positive(7_200),
      "how long a proof by game key, second factor or passkey counts for sensitive acts of a session",
    ),
  },
  rates: {
    holder: setting(
      "RATE_HOLDER",
      positive(250),
      "calls a minute of an account through an application",
    ),
    peer: setting("RATE_PEER", positive(250), "without a live token, of an address"),
    client: setting("RATE_CLIENT", positive(6_000), "of an application to `/oauth/*`"),
    clientFailures: setting(
      "RATE_CLIENT_FAILURES",
      positive(20),
      "failed ones of these, of an application from one address",
    ),
    authorize: setting("RATE_AUTHORIZE", positive(60), "authorization requests of an address"),
    pages: setting("RATE_PAGES", positive(600), "pages of an address"),
    signInAddress: setting("RATE_SIGN_IN_ADDRESS", positive(10), "failed sign-ins of an address"),
    signInAccount: setting("RATE_SIGN_IN_ACCOUNT", positive(5), "failed sign-ins to an account"),
    vault: setting("RATE_VAULT", positive(6), "readings of the vault that a member causes"),
    refresh: setting(
      "RATE_REFRESH",
      positive(20),
      "refreshes of players that a player causes, through all applications together",
    ),
    chainList: setting(
      "RATE_CHAIN_LIST",
      positive(5),
      "chain lists of an account through an application",
    ),
    events: setting(
      "RATE_EVENTS",
      positive(120),
      "readings of events of an account through an application",
    ),
    keyQuestions: setting(
      "RATE_KEY_QUESTIONS",
      positive(20),
      "questions to the game about one key, or about the keys of one account",
    ),
  },
};

type Parsed<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Setting<infer Schema>
    ? z.output<Schema>
    : Parsed<Declared[Name]>;
};

export type GivenSettings = Parsed<typeof declaredSettings>;
export type RateLimits = GivenSettings["rates"];

interface Group {
  readonly [name: string]: Setting | Group;
}
const isSetting = (node: Setting | Group): node is Setting => typeof node.variable === "string";

const settingsIn = (group: Group): Setting[] =>
  Object.values(group).flatMap((node) => (isSetting(node) ? [node] : settingsIn(node)));

export const settingList: readonly Setting[] = settingsIn(declaredSettings);

export function parseVariables(
  source: Readonly<Record<string, string | undefined>>,
): GivenSettings {
  const parse = ({ variable, schema }: Setting) => {
    // An empty variable counts as unset.
    const parsed = schema.safeParse(source[variable] || undefined);
    if (!parsed.success)
      throw wrongSetting(`${variable} is wrong: ${parsed.error.issues[0]?.message}.`);
    return parsed.data;
  };
  const parseGroup = (group: Group): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(group).map(([name, node]) => [
        name,
        isSetting(node) ? parse(node) : parseGroup(node),
      ]),
    );
  return parseGroup(declaredSettings) as GivenSettings;
}

export const defaultRateLimits: RateLimits = parseVariables({}).rates;
