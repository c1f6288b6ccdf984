import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { wrongSetting } from "../start-fault";
import type { CounterChange, CounterStore } from "./redis-limiter";

/** The command that runs a script; Redis knows the ones that it ran before by their hash. */
interface ScriptCommands {
  evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
}

// The counter outlives its minute a little, so that instances with slightly different clocks still
// share it.
const lifetimeSeconds = "90";
const unreadable = -1;
// A refused call is not counted, or what is given back could not make room; nothing goes below zero. What holds no number is
// not ours: it counts as -1, so that the counters beside it are counted all the same.
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
async function countIn(
  redis: ScriptCommands,
  counts: readonly CounterChange[],
): Promise<(number | undefined)[]> {
  const keys = counts.map(keyOf);
  const args = [
    lifetimeSeconds,
    ...counts.flatMap(({ window, by }) => [String(window.limit), String(by)]),
  ];
  const answer = await redis.evalsha(sha, keys, args).catch((error: unknown) => {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return redis.eval(script, keys, args);
  });
  if (!Array.isArray(answer) || answer.length !== counts.length || !answer.every(isTold))
    throw new Error("Redis answered with something else than one number for each count.");
  return answer.map((used) => (used === unreadable ? undefined : used));
}

/** A cluster maps the text in braces to one node, as a script with several counters needs. */
const keyOf = ({ window, minute }: CounterChange): string =>
  `{adjutant}:${window.policy}:${window.subject}:${minute}`;

const isTold = (used: unknown): used is number =>
  Number.isInteger(used) && Number(used) >= unreadable;

/** Milliseconds between attempts to reach a Redis that is gone. */
const reconnectEvery = 500;
/**
 * Milliseconds without an answer that end a connection: a dead peer is otherwise noticed after a
 * quarter of an hour.
 */
const longestSilence = 2_000;

/**
 * A Redis over TCP. Without a connection every command fails at once: a caller that waits for a limiter is worse off than
 * one that is counted in the process.
 */
export function tcpStore({
  url,
  caFile,
}: {
  readonly url: string;
  readonly caFile?: string | undefined;
}): CounterStore & { ready(milliseconds: number): Promise<void> } {
  const redis = new Redis(url, {
    // A server at rediss:// is verified, by the system's authorities where none is named.
    ...(caFile && { tls: { ca: readCertificates(caFile) } }),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2_000,
    socketTimeout: longestSilence,
    retryStrategy: () => reconnectEvery,
    // After a failover the old address may be a replica's: a new connection asks for the new
    // primary.
    reconnectOnError: ({ message }) => message.includes("READONLY"),
  });
  // Losing the connection shows in the commands that fail, and they do not say why; unheard, the event would end the process.
  let broken: unknown;
  redis.on("error", (error) => {
    broken = error;
  });
  redis.on("ready", () => {
    broken = undefined;
  });
  const answer = (command: Promise<unknown>) =>
    command.catch((error: unknown) => {
      throw broken ?? error;
    });
  const commands: ScriptCommands = {
    evalsha: (sha, keys, args) => answer(redis.evalsha(sha, keys.length, ...keys, ...args)),
    eval: (script, keys, args) => answer(redis.eval(script, keys.length, ...keys, ...args)),
  };
  return {
    kind: "redis",
    /** Resolves when the first connection is open, and at the latest after `milliseconds`. */
    ready: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        for (const event of ["ready", "error"])
          redis.once(event, () => {
            clearTimeout(timer);
            resolve();
          });
      }),
    count: (counts) => countIn(commands, counts),
    close: async () => redis.disconnect(),
  };
}

function readCertificates(file: string): Buffer {
  try {
    const text = readFileSync(file);
    // TLS itself passes over what is no certificate, and would then trust no authority.
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw wrongSetting(
      `REDIS_CA_FILE is wrong: ${file} cannot be read as certificates (${(error as Error).message}).`,
    );
  }
}
