import { createHash } from "node:crypto";
import type { Count } from "./counter-store";

/** How a script is run; Redis knows the ones that it ran before by their hash. */
export interface ScriptCommands {
  evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
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
 * @throws what the commands throw, and where the answer is not one number for each count
 */
export async function countIn(redis: ScriptCommands, counts: readonly Count[]): Promise<(number | undefined)[]> {
  const keys = counts.map(keyOf);
  const args = [lifetimeSeconds, ...counts.flatMap(({ window, by }) => [String(window.limit), String(by)])];
  const answer = await redis.evalsha(sha, keys, args).catch((error: unknown) => {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return redis.eval(script, keys, args);
  });
  if (!Array.isArray(answer) || answer.length !== counts.length || !answer.every(isTold))
    throw new Error("Redis answered with something else than one number for each count.");
  return answer.map((used) => (used === unreadable ? undefined : used));
}

/** A cluster keeps what stands in braces on one node, as a script with several counters needs. */
const keyOf = ({ window, minute }: Count): string => `{adjutant}:${window.policy}:${window.subject}:${minute}`;

const isTold = (used: unknown): used is number => Number.isInteger(used) && Number(used) >= unreadable;
