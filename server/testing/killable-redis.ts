import { type ChildProcess, spawnSync } from "node:child_process";
import { Redis } from "ioredis";
import { freePort } from "./free-port";
import { spawnRedis } from "./redis";

/** A Redis server of a test's own, on one port for as long as the test likes, with nothing on the disk. */
export interface KillableRedis {
  readonly url: string;
  /** Says anything to it: settings, pauses, foreign keys. */
  readonly admin: Redis;
  /** Ends it as a crash does, with all that it held. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it for good. */
  remove(): Promise<void>;
}

/** Whether `redis-server` is on the PATH: a Redis that is only reached by TEST_REDIS_URL cannot be killed. */
export const redisServerIsHere = (): boolean =>
  spawnSync("redis-server", ["--version"]).status === 0;

/** Starts one. @param settings as on its command line */
export async function killableRedis(...settings: string[]): Promise<KillableRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const killNow = () => void server?.kill("SIGKILL");
  process.once("exit", killNow);
  const kill = async () => {
    const ending = server;
    server = undefined;
    if (!ending) return;
    await new Promise<void>((resolve) => {
      ending.once("exit", () => resolve());
      ending.kill("SIGKILL");
    });
  };
  const start = async () => {
    server = await spawnRedis(port, settings);
    if (!server) throw new Error("redis-server ended at once.");
  };
  await start();
  const admin = new Redis(port, "127.0.0.1", { retryStrategy: () => 20 });
  // It is killed on purpose.
  admin.on("error", () => {});
  return {
    url: `redis://127.0.0.1:${port}`,
    admin,
    kill,
    start,
    remove: async () => {
      admin.disconnect();
      await kill();
      process.off("exit", killNow);
    },
  };
}
