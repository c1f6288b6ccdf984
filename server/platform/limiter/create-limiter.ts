import type { Settings } from "../env";
import type { Log } from "../log";
import type { Metrics } from "../metrics";
import { createProcessLimiter, type Limiter } from "./limiter";
import { createRedisLimiter } from "./redis-limiter";
import { createUpstashStore } from "./rest-store";
import { createRedisStore } from "./tcp-store";

interface LimiterOptions {
  readonly settings: Pick<Settings, "redis">;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, "limiterFallbacks">;
}

/** Milliseconds. The first answer over a cold network may be slow. */
const firstTimeout = 2_000;
const restTimeout = 250;

/** Redis may be unavailable at first. @throws WrongSetting */
export async function createLimiter({
  settings,
  now,
  log,
  metrics,
}: LimiterOptions): Promise<Limiter> {
  if (!settings.redis) return createProcessLimiter(now);
  if ("restUrl" in settings.redis) {
    const store = createUpstashStore({
      url: settings.redis.restUrl,
      token: settings.redis.restToken,
    });
    return createRedisLimiter({ store, now, log, metrics, timeout: restTimeout });
  }
  const store = createRedisStore(settings.redis);
  await store.ready(firstTimeout);
  return createRedisLimiter({ store, now, log, metrics });
}
