import { spawn } from "node:child_process";
import path from "node:path";

export interface ScriptRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const root = path.join(import.meta.dirname, "../..");

export function runScript(
  name: "admin" | "backup" | "restore",
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<ScriptRun> {
  const { PATH = "", HOME = "" } = process.env;
  const command = ["--import", "tsx", `scripts/${name}.ts`, ...args];
  const env = { PATH, HOME, NODE_ENV: "production" as const, ...settings };
  const child = spawn(process.execPath, command, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text: Buffer) => {
    out += text.toString();
  });
  child.stderr.on("data", (text: Buffer) => {
    err += text.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, out, err }));
  });
}
