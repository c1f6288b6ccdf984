import { execFileSync, spawn } from "node:child_process";
import path from "node:path";
import { expect } from "playwright/test";
import { freePort } from "#server/testing/free-port";

/** `next start` without the production front, as on a serverless platform. */
export interface NextServer {
  readonly port: number;
  readonly url: string;
  output(): string;
  signal(signal: NodeJS.Signals): void;
  stop(): void;
}

/** Builds if there is no current build. */
export function openBuildFolder(): string {
  const openBuild =
    'import("./scripts/build.mjs").then((build) => build.openBuild()).then((f) => process.stdout.write("\\n" + f))';
  const built = execFileSync(process.execPath, ["-e", openBuild]).toString();
  return built.slice(built.lastIndexOf("\n") + 1);
}

/** @param answers status that its readiness probe waits for */
export async function startNext(
  settings: Readonly<Record<string, string>>,
  { answers = 200, folder = openBuildFolder() } = {},
): Promise<NextServer> {
  const port = await freePort();
  const { PATH = "", HOME = "" } = process.env;
  const own = {
    PATH,
    HOME,
    NODE_ENV: "production" as const,
    LOG_LEVEL: "info",
    BUILD_FOLDER: folder,
  };
  const next = path.join("node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", String(port)], {
    env: { ...own, BASE_URL: `http://localhost:${port}`, ...settings },
    stdio: "pipe",
  });
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      output += text.toString();
    });
  const ready = async () =>
    (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.status;
  await expect.poll(ready, { timeout: 150_000 }).toBe(answers);
  return {
    port,
    url: `http://localhost:${port}`,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    stop: () => {
      process.off("exit", end);
      end();
    },
  };
}
