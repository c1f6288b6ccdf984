import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port";

export interface RunningProduct {
  readonly url: string;
  readonly process: ChildProcess;
  readonly dataDir: string;
  output(): string;
  /** @returns the exit code; null if the signal ended the process */
  end(signal: NodeJS.Signals): Promise<number | null>;
  stop(): Promise<void>;
}

/** Milliseconds, including a build. */
const startLimit = 600_000;
/** Only for hangs: the product promises 20 seconds and its notice, but machines are busy. */
const stopLimit = 60_000;
const root = path.join(import.meta.dirname, "../..");

/**
 * Starts on a free port and an empty data directory, unless `settings` name them, with no other
 * environment and a still demo world.
 * @throws with its output if it ends or is not ready within ten minutes
 */
export async function startProduct(
  settings: Readonly<Record<string, string>> = {},
  installation = root,
): Promise<RunningProduct> {
  const folder = settings.DATA_DIR
    ? undefined
    : await mkdtemp(path.join(tmpdir(), "adjutant-product-"));
  const port = settings.PORT ?? String(await freePort());
  const { PATH = "", HOME = "", TZ = "" } = process.env;
  const own = {
    NODE_ENV: "production",
    PORT: port,
    DEMO: settings.DEMO ?? "still",
    ...(folder && { DATA_DIR: folder }),
  } as const;
  const env: NodeJS.ProcessEnv & { DATA_DIR?: string } = { PATH, HOME, TZ, ...settings, ...own };
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: installation,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (text: Buffer) => {
    output += text.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const end = async (signal: NodeJS.Signals) => {
    const code = await ended(child, signal);
    process.off("exit", kill);
    return code;
  };
  const stop = async () => {
    await end("SIGTERM");
    if (folder) await rm(folder, { recursive: true, force: true });
  };
  const url = `http://localhost:${port}`;
  const isUp = await ready(child, `${url}/health/ready`);
  if (!isUp) {
    const code = child.exitCode;
    await stop();
    throw new Error(
      `The product did not start${code === null ? "" : ` (exit code ${code})`}:\n${output}`,
    );
  }
  return { url, process: child, dataDir: env.DATA_DIR ?? "", output: () => output, end, stop };
}

async function ready(child: ChildProcess, url: string): Promise<boolean> {
  const giveUp = Date.now() + startLimit;
  while (child.exitCode === null && child.signalCode === null && Date.now() < giveUp) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return true;
    await wait(100);
  }
  return false;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), stopLimit);
  const code = await exit;
  clearTimeout(timer);
  return code;
}
