import { z } from "zod";
import { chatVariables } from "./chat-settings";
import { daySeconds, hourSeconds } from "./time";
import { optionalUrl, publicAddress } from "./url-settings";

const positive = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const poolSize = (least: number) => z.coerce.number().int().min(least).max(200).optional();
const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
  .optional();

/** The limits as the environment names them. */
const rateVariables = {
  RATE_HOLDER: positive(250),
  RATE_PEER: positive(250),
  RATE_CLIENT: positive(6_000),
  RATE_CLIENT_FAILURES: positive(20),
  RATE_AUTHORIZE: positive(60),
  RATE_PAGES: positive(600),
  RATE_SIGN_IN_ADDRESS: positive(10),
  RATE_SIGN_IN_ACCOUNT: positive(5),
  RATE_VAULT: positive(6),
  RATE_REFRESH: positive(20),
};

/** Every setting as the environment names it. An absent one has its default. */
export const Environment = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  BASE_URL: z.string().optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: postgresAddress,
  DATABASE_DIRECT_URL: postgresAddress,
  // A transaction needs one to itself, and those who wait for it may hold others up.
  DATABASE_POOL_SIZE: poolSize(2),
  DATABASE_TOKEN_POOL_SIZE: poolSize(2),
  DATABASE_KEY_POOL_SIZE: poolSize(1),
  DATABASE_JOB_POOL_SIZE: poolSize(1),
  DATABASE_TIMEOUT_SECONDS: positive(4),
  DATABASE_JOB_TIMEOUT_SECONDS: positive(30),
  DRAIN_NOTICE_SECONDS: z.coerce.number().min(0).max(300).default(1.5),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must start with redis://, or rediss:// for TLS")
    .optional(),
  REDIS_CA_FILE: z.string().optional(),
  UPSTASH_REDIS_REST_URL: optionalUrl,
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  SERVER_SECRET: z.string().optional(),
  SERVER_SECRET_PREVIOUS: z.string().optional(),
  GAME_API_URL: optionalUrl,
  GAME_CALLS: positive(900),
  GAME_NAME: z.string().trim().min(1).max(40).default("Torn"),
  POLICY_URL: publicAddress(),
  TERMS_URL: publicAddress(),
  CONTACT_URL: publicAddress({ mail: true }),
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
  SERVERLESS: z.enum(["on", "off"]).default("off"),
  CRON_SECRET: z.string().min(32, "must be at least 32 characters").optional(),
  CRON_SECONDS: positive(50),
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

/** The environment, parsed. */
export type Environment = z.infer<typeof Environment>;

/** The limits of calls in a clock minute. */
export interface Rates {
  /** Calls of one account through one application. */
  readonly holder: number;
  /** Calls without a live token, of one address. */
  readonly peer: number;
  /** Calls of one application to the token, revocation and introspection endpoints. */
  readonly client: number;
  /** Failed ones of them, of one application from one address. */
  readonly clientFailures: number;
  /** Authorization requests of one address. */
  readonly authorize: number;
  /** Pages of one address. */
  readonly pages: number;
  /** Failed sign-ins, of one address and to one account. */
  readonly signInAddress: number;
  readonly signInAccount: number;
  /** Readings of the vault that one member causes. */
  readonly vault: number;
  /** Refreshes of players that one player causes, through all applications together. */
  readonly refresh: number;
}

export const ratesOf = (env: Readonly<Record<keyof typeof rateVariables, number>>): Rates => ({
  holder: env.RATE_HOLDER,
  peer: env.RATE_PEER,
  client: env.RATE_CLIENT,
  clientFailures: env.RATE_CLIENT_FAILURES,
  authorize: env.RATE_AUTHORIZE,
  pages: env.RATE_PAGES,
  signInAddress: env.RATE_SIGN_IN_ADDRESS,
  signInAccount: env.RATE_SIGN_IN_ACCOUNT,
  vault: env.RATE_VAULT,
  refresh: env.RATE_REFRESH,
});
