import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import type { CounterChange, CounterStore } from "./redis-limiter";

/** Milliseconds after which a background request ends. */
const longestRequest = 2_000;
/** The fault of one key alone: it holds something else than a number. */
const foreignKey = /WRONGTYPE|not an integer|arithmetic/;

/**
 * Upstash's REST protocol, for hosts that cannot hold a connection, counted by @upstash/ratelimit: its fixed windows, its memory
 * of refused subjects, and one request for what came in one turn. Three things differ from the script that counts over TCP:
 * a refused call stays in its counter until a second request takes it out, so that others may be refused too early meanwhile;
 * a subject refused here stays so until the minute ends or this process gives a call back, whatever another process gives back;
 * what is given back to a counter that Redis lost is put right by a second request.
 */
export function restStore(options: { url: string; token: string }): CounterStore {
  const redis = new Redis({
    ...options,
    enableTelemetry: false,
    // `false` still tries twice, and a count with a lost answer would be counted twice.
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
      // After its own time-out the package lets a call pass; ours counts it in the process.
      timeout: 0,
      enableTelemetry: false,
    });
  /** Corrects a counter in the background; the next count of the window waits for it. */
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
 * How many minutes long a window of the package must be, so that it does not end in or beside this minute. The package keeps
 * windows apart by the machine's clock; minutes are the service's, and the two may differ.
 */
function lengthFor(minute: number): number {
  let length = 3;
  while ((minute + 1) % length < 2) length += 1;
  return length;
}

/** @throws where the answer is not one of the package's script */
function usedOf({ remaining, limit }: { remaining: number; limit: number }, own: number): number {
  const used = limit - remaining;
  if (limit === own && Number.isInteger(used) && used >= -1 && used <= limit) return used;
  throw new Error("Upstash answered with something else than a count.");
}
