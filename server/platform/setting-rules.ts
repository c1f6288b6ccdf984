import type { GivenSettings } from "./environment-variables";
import { wrongSetting } from "./start-fault";
import { isLoopback } from "./url-settings";

type Given = Omit<GivenSettings, "nodeEnv">;

export function metricsOf({ metrics: { port, host }, port: ofServer }: Given) {
  if (port === undefined) return undefined;
  if (port === ofServer) throw wrongSetting("METRICS_PORT must be another port than PORT.");
  return { port, host };
}

/** A process that is frozen between calls needs external database, scheduler and limits. */
export function serverlessOf(given: Given) {
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

/** A Redis over TCP, with an optional authority file, or over HTTP. */
export type RedisAddress =
  | { readonly url: string; readonly caFile?: string | undefined }
  | { readonly restUrl: string; readonly restToken: string };

export function redisOf({ redis }: Pick<Given, "redis">): RedisAddress | undefined {
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

export const poolSizesOf = ({ databasePools }: Given) =>
  Object.fromEntries(
    Object.entries(databasePools).filter(([, size]) => size !== undefined),
  ) as Readonly<Partial<Record<keyof typeof databasePools, number>>>;

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
  // 32 random bytes are 43 characters of base64; few distinct characters indicate a placeholder.
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
