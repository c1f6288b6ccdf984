import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { wrongSetting } from "../start-fault";
import { countIn, type ScriptCommands } from "./count-script";
import type { CounterStore } from "./counter-store";

/** Milliseconds between attempts to reach a Redis that is gone. */
const reconnectEvery = 500;
/** Milliseconds without an answer that end a connection: one whose other end is gone without a word lasts a quarter of an hour. */
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
    // After a failover the old address may be a replica's: a new connection asks again who is who.
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
    count: (counts) => countIn(commands, counts),
    close: async () => redis.disconnect(),
  };
}

function readCertificates(file: string): Buffer {
  try {
    const text = readFileSync(file);
    // TLS itself passes over what is no certificate, and would then trust nobody.
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw wrongSetting(`REDIS_CA_FILE is wrong: ${file} cannot be read as certificates (${(error as Error).message}).`);
  }
}
