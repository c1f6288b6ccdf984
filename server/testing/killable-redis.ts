import { type ChildProcess, spawnSync } from "node:child_process";
import { Redis } from "ioredis";
import { freePort } from "./free-port";
import { spawnRedis } from "./redis";

/** In memory, on a fixed port. */
export interface KillableRedis {
  readonly url: string;
  readonly admin: Redis;
  /** SIGKILL; loses all data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Needs the program: a Redis given by TEST_REDIS_URL cannot be killed. */
export const redisServerIsHere = (): boolean =>
  spawnSync("redis-server", ["--version"]).status === 0;

/** @param settings as on its command line */
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
