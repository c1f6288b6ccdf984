import { createHash } from "node:crypto";
import type { Ratelimit } from "@upstash/ratelimit";
import { minuteOf } from "./clock-minute";

type Algorithm = ConstructorParameters<typeof Ratelimit>[0]["limiter"];

// The counter outlives its minute a little, so that instances whose clocks differ slightly still share it.
const counterLifetimeSeconds = 90;
// A refused call is not counted, or what is given back could not make room; nothing goes below zero.
const script = `
local used, by = tonumber(redis.call("GET", KEYS[1]) or "0"), tonumber(ARGV[3])
if by > 0 and used >= tonumber(ARGV[2]) then return used + by end
if by < 0 and used + by < 0 then return 0 end
used = redis.call("INCRBY", KEYS[1], by)
if used == by then redis.call("EXPIRE", KEYS[1], ARGV[1]) end
return used`;
const sha = createHash("sha1").update(script).digest("hex");

const minuteMilliseconds = 60_000;

/**
 * Fixed windows of one clock minute, as an algorithm of @upstash/ratelimit. Its own fixed window reads the process's clock;
 * ours is told the time, so that instances agree and tests can move it.
 */
export const clockMinute =
  (limit: number, now: () => Date): Algorithm =>
  () => ({
    // A negative rate gives back, as in the package's own algorithms.
    limit: async (context, identifier, rate = 1) => {
      const minute = minuteOf(now());
      const keys = [`${identifier}:${minute}`];
      const args = [counterLifetimeSeconds, limit, rate].map(String);
      const used = Number(
        await context.redis.evalsha(sha, keys, args).catch((error: unknown) => {
          if (!String(error).includes("NOSCRIPT")) throw error;
          return context.redis.eval(script, keys, args);
        }),
      );
      return {
        success: used <= limit,
        limit,
        remaining: Math.max(0, limit - used),
        reset: (minute + 1) * minuteMilliseconds,
        pending: Promise.resolve(),
      };
    },
    getRemaining: async (context, identifier) => {
      const minute = minuteOf(now());
      const used = Number((await context.redis.get(`${identifier}:${minute}`)) ?? 0);
      return { limit, remaining: Math.max(0, limit - used), reset: (minute + 1) * minuteMilliseconds };
    },
    resetTokens: async () => {
      throw new Error("Windows end with the minute; nobody ends them earlier.");
    },
  });
