import { type ChildProcess, spawn } from "node:child_process";
import { freePort } from "./free-port";

export interface RunningRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Uses TEST_REDIS_URL, else starts `redis-server` in memory. @returns undefined without either */
export async function startRedis(): Promise<RunningRedis | undefined> {
  const given = process.env.TEST_REDIS_URL;
  if (given) return { url: given, stop: async () => {} };
  const port = await freePort();
  const server = await spawnRedis(port);
  if (!server) return undefined;
  const kill = () => void server.kill("SIGKILL");
  process.once("exit", kill);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      process.off("exit", kill);
      await new Promise<void>((resolve) => {
        server.once("exit", () => resolve());
        server.kill("SIGTERM");
      });
    },
  };
}

/** In memory. @returns undefined if it is missing or ends at once */
export async function spawnRedis(
  port: number,
  settings: readonly string[] = [],
): Promise<ChildProcess | undefined> {
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", "/tmp"];
  const server = spawn("redis-server", [...own, ...settings]);
  return (await ready(server)) ? server : undefined;
}

function ready(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false)).once("exit", () => resolve(false));
    server.stdout?.on("data", (text: Buffer) => {
      if (text.includes("Ready to accept connections")) resolve(true);
    });
  });
}
