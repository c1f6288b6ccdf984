import { createHash } from "node:crypto";
import type { CounterStore } from "./counter-store";

/** What is done to one counter. */
export interface Count {
  readonly key: string;
  /** Beyond it nothing is counted. */
  readonly limit: number;
  /** 1 charges a call, -1 gives one back, 0 only looks. */
  readonly by: 1 | 0 | -1;
}

// The counter outlives its minute a little, so that instances whose clocks differ slightly still share it.
const lifetimeSeconds = "90";
const unreadable = -1;
// A refused call is not counted, or what is given back could not make room; nothing goes below zero. What holds no number is
// not ours: it is told as -1, so that the counters beside it are counted all the same.
const script = `
local counts = {}
for at, key in ipairs(KEYS) do
  local limit, by = tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
  local held = redis.pcall("GET", key)
  if type(held) == "table" and not string.find(held.err, "WRONGTYPE") then return held end
  local used = tonumber(held or "0")
  if not used then
    used = -1
  elseif by > 0 and used >= limit then
    used = used + by
  elseif by ~= 0 and used + by >= 0 then
    used = redis.call("INCRBY", key, by)
    if used == by then redis.call("EXPIRE", key, ARGV[1]) end
  end
  counts[at] = used
end
return counts`;
const sha = createHash("sha1").update(script).digest("hex");

/**
 * Counts in one script, so that many cost one round trip and no instance comes between a look and its count.
 * @returns what each counter holds afterwards, in order; for a refused call one more than its limit; undefined for what is no
 *   counter
 * @throws what the store throws, and where the answer is not one number for each count
 */
export async function countIn(store: CounterStore, counts: readonly Count[]): Promise<(number | undefined)[]> {
  const keys = counts.map(({ key }) => key);
  const args = [lifetimeSeconds, ...counts.flatMap(({ limit, by }) => [String(limit), String(by)])];
  const answer = await store.evalsha(sha, keys, args).catch((error: unknown) => {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return store.eval(script, keys, args);
  });
  if (!Array.isArray(answer) || answer.length !== counts.length || !answer.every(isTold))
    throw new Error("Redis answered with something else than one number for each count.");
  return answer.map((used) => (used === unreadable ? undefined : used));
}

const isTold = (used: unknown): used is number => Number.isInteger(used) && Number(used) >= unreadable;
