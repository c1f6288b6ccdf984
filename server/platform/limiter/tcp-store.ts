import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { wrongSetting } from "../start-fault";
import type { CounterChange, CounterStore } from "./redis-limiter";

// More than a minute, because instances with different clocks share a counter.
const lifetimeSeconds = "90";
const unreadable = -1;
// A refused call is not counted, so that a give-back makes room. A foreign value yields -1.
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

/** A cluster keeps keys with the same text in braces on one node. */
const keyOf = ({ window, minute }: CounterChange): string =>
  `{adjutant}:${window.policy}:${window.subject}:${minute}`;

const isTold = (used: unknown): used is number =>
  Number.isInteger(used) && Number(used) >= unreadable;

const reconnectEvery = 500;
/** Milliseconds. By default a vanished peer is noticed after a quarter of an hour. */
const longestSilence = 2_000;

/** Without a connection every command fails at once. */
export function createRedisStore({
  url,
  caFile,
}: {
  readonly url: string;
  readonly caFile?: string | undefined;
}): CounterStore & { ready(milliseconds: number): Promise<void> } {
  const redis = new Redis(url, {
    ...(caFile && { tls: { ca: readCertificates(caFile) } }),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2_000,
    socketTimeout: longestSilence,
    retryStrategy: () => reconnectEvery,
    // After a failover the old primary is read-only. A new connection resolves the name again.
    reconnectOnError: ({ message }) => message.includes("READONLY"),
  });
  // Failing commands do not say why, and an unhandled event would end the process.
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
  return {
    kind: "redis",
    ready: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        for (const event of ["ready", "error"])
          redis.once(event, () => {
            clearTimeout(timer);
            resolve();
          });
      }),
    count: async (counts) => {
      const keys = counts.map(keyOf);
      const limits = counts.flatMap(({ window, by }) => [window.limit, by]);
      const args = [keys.length, ...keys, lifetimeSeconds, ...limits] as const;
      const used = await answer(redis.evalsha(sha, ...args)).catch((error: unknown) => {
        if (!String(error).includes("NOSCRIPT")) throw error;
        return answer(redis.eval(script, ...args));
      });
      if (!Array.isArray(used) || used.length !== counts.length || !used.every(isTold))
        throw new Error("Redis answered with something else than one number for each count.");
      return used.map((count) => (count === unreadable ? undefined : count));
    },
    close: async () => redis.disconnect(),
  };
}

function readCertificates(file: string): Buffer {
  try {
    const text = readFileSync(file);
    // TLS ignores invalid certificates and would then trust none.
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw wrongSetting(
      `REDIS_CA_FILE is wrong: ${file} cannot be read as certificates (${(error as Error).message}).`,
    );
  }
}
