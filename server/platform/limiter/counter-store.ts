import { Redis as UpstashRedis } from "@upstash/redis";
import { Redis } from "ioredis";

/** The few commands that counting needs, on a Redis that is reached in one way or another. */
export interface CounterStore {
  readonly kind: "redis" | "upstash";
  evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
  get(key: string): Promise<unknown>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

/** Milliseconds between attempts to reach a Redis that is gone. */
const reconnectEvery = 500;

/**
 * A Redis over TCP. Without a connection every command fails at once: a caller that waits for a limiter is worse off than
 * one that is counted in the process.
 */
export function tcpStore(url: string): CounterStore & { ready(milliseconds: number): Promise<void> } {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2_000,
    retryStrategy: () => reconnectEvery,
  });
  /**
   * Lets the commands of one turn of the event loop leave in one write: each write is a call of the kernel that also wakes
   * Redis. At the next tick would be too early, since each connection's data is a tick of its own.
   */
  const gather = () => {
    const { stream } = redis;
    if (!stream || stream.writableCorked > 0) return;
    stream.cork();
    setImmediate(() => stream.uncork());
  };
  // Losing the connection shows in the commands that fail; unheard, the event would end the process.
  redis.on("error", () => {});
  return {
    kind: "redis",
    /** Resolves when the first connection stands, and at the latest after `milliseconds`. */
    ready: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        for (const event of ["ready", "error"])
          redis.once(event, () => {
            clearTimeout(timer);
            resolve();
          });
      }),
    evalsha: (sha, keys, args) => {
      gather();
      return redis.evalsha(sha, keys.length, ...keys, ...args);
    },
    eval: (script, keys, args) => redis.eval(script, keys.length, ...keys, ...args),
    get: (key) => redis.get(key),
    ping: () => redis.ping(),
    close: async () => redis.disconnect(),
  };
}

/** Upstash's REST protocol, for hosts that cannot hold a connection. */
export function restStore(options: { url: string; token: string }): CounterStore {
  const redis = new UpstashRedis({ ...options, enableTelemetry: false, retry: false, enableAutoPipelining: true });
  return {
    kind: "upstash",
    evalsha: (sha, keys, args) => redis.evalsha(sha, keys, args),
    eval: (script, keys, args) => redis.eval(script, keys, args),
    get: (key) => redis.get(key),
    ping: () => redis.ping(),
    close: async () => {},
  };
}
