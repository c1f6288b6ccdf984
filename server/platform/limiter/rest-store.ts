import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import type { CounterChange, CounterStore } from "./redis-limiter";

/** Milliseconds. */
const longestRequest = 2_000;
const foreignKey = /WRONGTYPE|not an integer|arithmetic/;

/** Unlike in the TCP script, a refused call counts until a second request reverts it. */
export function createUpstashStore(options: { url: string; token: string }): CounterStore {
  const redis = new Redis({
    ...options,
    enableTelemetry: false,
    // `retry: false` still tries twice, and would repeat a count after a lost answer.
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(longestRequest),
  });
  const refused = new Map<string, number>();
  const corrections = new Map<string, Promise<unknown>>();
  let newest = 0;

  const limiterOf = (
    { window, minute }: CounterChange,
    ephemeralCache: Map<string, number> | false,
  ) =>
    new Ratelimit({
      redis,
      limiter: Ratelimit.fixedWindow(window.limit, `${lengthFor(minute)} m`),
      prefix: "adjutant",
      ephemeralCache,
      // The package lets calls pass after its timeout.
      timeout: 0,
      enableTelemetry: false,
    });
  /** The next count of the same window waits for the correction. */
  const correct = (count: CounterChange, identifier: string, rate: number) => {
    const done = limiterOf(count, false)
      .limit(identifier, { rate })
      .catch(() => {})
      .finally(() => corrections.get(identifier) === done && corrections.delete(identifier));
    corrections.set(identifier, done);
  };
  const countOne = async (count: CounterChange): Promise<number> => {
    const { window, minute, by } = count;
    const identifier = `${window.policy}:${window.subject}:${minute}`;
    const correction = corrections.get(identifier);
    if (correction) await correction;
    const limiter = limiterOf(count, refused);
    if (by === 0) return Math.max(0, usedOf(await limiter.getRemaining(identifier), window.limit));
    const answer = await limiter.limit(identifier, { rate: by });
    const used = usedOf(answer, window.limit);
    if (by === -1 && used < 0) correct(count, identifier, 1);
    if (answer.success || by === -1) return Math.max(0, used);
    if (answer.reason === undefined) correct(count, identifier, -1);
    return window.limit + 1;
  };

  return {
    kind: "upstash",
    count: (counts) => {
      const minute = Math.max(...counts.map((count) => count.minute));
      if (minute > newest) refused.clear();
      newest = Math.max(newest, minute);
      return Promise.all(
        counts.map((count) =>
          countOne(count).catch((error: unknown) => {
            if (foreignKey.test(String(error))) return undefined;
            throw error;
          }),
        ),
      );
    },
    close: async () => {},
  };
}

/**
 * Minutes per window. None may end near this minute, because the package uses the machine's clock.
 */
function lengthFor(minute: number): number {
  let length = 3;
  while ((minute + 1) % length < 2) length += 1;
  return length;
}

function usedOf({ remaining, limit }: { remaining: number; limit: number }, own: number): number {
  const used = limit - remaining;
  if (limit === own && Number.isInteger(used) && used >= -1 && used <= limit) return used;
  throw new Error("Upstash answered with something else than a count.");
}
