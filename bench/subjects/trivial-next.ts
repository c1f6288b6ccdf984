import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "#server/testing/free-port";
import type { Subject } from "../subject";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "bench/.cache/trivial-next");
const next = path.join(root, "node_modules/next/dist/bin/next");

const files = {
  "package.json": '{ "private": true, "type": "module" }',
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(root)} } };`,
  "app/trivial/route.js": [
    'export const dynamic = "force-dynamic";',
    'const body = { id: 1, name: "x".repeat(170) };',
    "export function GET() { return Response.json(body); }",
  ].join("\n"),
};

/** What a page framework costs by itself: a Next route handler that does nothing. */
export const trivialNext: Subject = {
  id: "T",
  title: "T: a trivial Next route handler",
  start: async () => {
    buildOnce();
    const port = await freePort();
    const server = spawn(process.execPath, [next, "start", "-p", String(port), "-H", "127.0.0.1"], {
      cwd: folder,
      stdio: "ignore",
      env: environment(),
    });
    const url = `http://127.0.0.1:${port}/trivial`;
    while (!(await fetch(url).catch(() => undefined))?.ok) await wait(100);
    return {
      url,
      pid: server.pid ?? 0,
      stop: async () => {
        server.kill();
        await once(server, "exit");
      },
    };
  },
};

function buildOnce(): void {
  const version = readFileSync(path.join(root, "node_modules/next/package.json"), "utf8");
  const stamp = path.join(folder, ".built-with");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === version) return;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  execFileSync(process.execPath, [next, "build"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: environment(),
  });
  writeFileSync(stamp, version);
}

const environment = (): NodeJS.ProcessEnv => ({ ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
