import type { Environment } from "./environment-variables";
import { wrongSetting } from "./start-fault";
import { isLoopback } from "./url-settings";

export function metricsOf({ METRICS_PORT: port, METRICS_HOST: host, PORT }: Environment) {
  if (port === undefined) return undefined;
  if (port === PORT) throw wrongSetting("METRICS_PORT must be another port than PORT.");
  return { port, host };
}

/** A process that is stopped between two calls needs its database, timetable and limits elsewhere, or does not start. */
export function serverlessOf(env: Environment) {
  if (env.SERVERLESS === "off") return undefined;
  const needed = ["DATABASE_URL", "TRUSTED_PLATFORM_HEADER", "CRON_SECRET"] as const;
  const missing = needed.find((name) => env[name] === undefined);
  if (missing) throw wrongSetting(`SERVERLESS=on needs ${missing}.`);
  if (!redisOf(env))
    throw wrongSetting(
      "SERVERLESS=on needs UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or REDIS_URL: each of its processes would count limits for itself.",
    );
  return { cronSecret: env.CRON_SECRET ?? "", cronSeconds: env.CRON_SECONDS };
}

/** A Redis over TCP, trusted by its authority's file where one is named; or one that speaks HTTP. */
export type RedisAddress =
  | { readonly url: string; readonly caFile?: string | undefined }
  | { readonly restUrl: string; readonly restToken: string };

export function redisOf(env: Environment): RedisAddress | undefined {
  const { REDIS_URL: url, REDIS_CA_FILE: caFile } = env;
  if (caFile && !url?.startsWith("rediss://"))
    throw wrongSetting(
      "REDIS_CA_FILE needs a REDIS_URL that begins with rediss://: without TLS nothing is verified.",
    );
  if (url) return { url, caFile };
  if (!env.UPSTASH_REDIS_REST_URL && !env.UPSTASH_REDIS_REST_TOKEN) return undefined;
  if (env.UPSTASH_REDIS_REST_URL && env.UPSTASH_REDIS_REST_TOKEN)
    return { restUrl: env.UPSTASH_REDIS_REST_URL, restToken: env.UPSTASH_REDIS_REST_TOKEN };
  throw wrongSetting("UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN must be set together.");
}

export function poolSizesOf(env: Environment) {
  const sizes = {
    general: env.DATABASE_POOL_SIZE,
    token: env.DATABASE_TOKEN_POOL_SIZE,
    key: env.DATABASE_KEY_POOL_SIZE,
    job: env.DATABASE_JOB_POOL_SIZE,
  };
  // Of those that are not set the data layer knows the usual size.
  return Object.fromEntries(
    Object.entries(sizes).filter(([, size]) => size !== undefined),
  ) as Partial<Record<keyof typeof sizes, number>>;
}

export function secretOf(
  name: string,
  value: string | undefined,
  required: boolean,
): string | undefined {
  if (value === undefined) {
    if (required)
      throw wrongSetting(
        `${name} is missing: with DATABASE_URL it must be set. A database that was written before needs the one of then, a new database a new one (openssl rand -base64 48).`,
      );
    return undefined;
  }
  // 32 random bytes are 43 characters of base64; repetition of a few characters is a placeholder, not a secret.
  if (value.length < 43 || new Set(value).size < 12)
    throw wrongSetting(
      `${name} is too weak: it must hold at least 32 random bytes (openssl rand -base64 48).`,
    );
  return value;
}

export function adminSecondFactorOf(requested: "required" | "waived", base: URL) {
  if (requested === "waived" && !isLoopback(base.hostname))
    throw wrongSetting(
      "ADMIN_SECOND_FACTOR=waived is allowed with a loopback BASE_URL only: elsewhere an admin needs a second factor.",
    );
  return requested;
}

export function webhookLoopbackOf(requested: "refused" | "allowed", base: URL) {
  if (requested === "allowed" && !isLoopback(base.hostname))
    throw wrongSetting(
      "WEBHOOK_LOOPBACK=allowed is allowed with a loopback BASE_URL only: elsewhere webhooks would reach into this machine.",
    );
  return requested;
}

export function demoOf(
  requested: "0" | "1" | "still" | undefined,
  gameApiUrl: string | undefined,
  base: URL,
): "off" | "still" | "alive" {
  if (gameApiUrl) return "off";
  const loopback = isLoopback(base.hostname);
  if (!loopback && requested !== "1")
    throw wrongSetting(
      "GAME_API_URL is missing: the simulated game under a public BASE_URL starts only with DEMO=1.",
    );
  if (requested === "0") return "off";
  return requested === "still" ? "still" : "alive";
}
