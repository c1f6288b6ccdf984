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
// A refused call is not counted, or what is given back could not make room; nothing goes below zero.
const script = `
local counts = {}
for at, key in ipairs(KEYS) do
  local limit, by = tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
  local used = tonumber(redis.call("GET", key) or "0")
  if by > 0 and used >= limit then
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
 * @returns what each counter holds afterwards, in order; for a refused call one more than its limit
 */
export async function countIn(store: CounterStore, counts: readonly Count[]): Promise<number[]> {
  const keys = counts.map(({ key }) => key);
  const args = [lifetimeSeconds, ...counts.flatMap(({ limit, by }) => [String(limit), String(by)])];
  const answer = await store.evalsha(sha, keys, args).catch((error: unknown) => {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return store.eval(script, keys, args);
  });
  return answer.map(Number);
}
