import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "#server/testing/free-port";
import type { Running, Subject } from "../subject";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "bench/.cache/trivial-next");
const next = path.join(root, "node_modules/next/dist/bin/next");

const files = {
  "package.json": '{ "private": true, "type": "module" }',
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(root)} } };`,
  // Without one of its own Next takes the product's, which lies further up, and it would judge each request.
  "instrumentation.js": "export function register() {}",
  "app/trivial/route.js": [
    'export const dynamic = "force-dynamic";',
    'const body = { id: 1, name: "x".repeat(170) };',
    "export function GET() { return Response.json(body); }",
  ].join("\n"),
  "app/layout.js":
    'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  "app/page/page.js": [
    'import { cookies } from "next/headers";',
    "export default async function Page() {",
    '  const name = (await cookies()).get("name")?.value ?? "nobody";',
    "  return <main><h1>A page</h1><p>Rendered for {name}.</p></main>;",
    "}",
  ].join("\n"),
};

/** Connections that pages are measured with. */
export const renderers = 4;
/** How a browser asks: it takes packed answers. */
export const visitScript = path.join(import.meta.dirname, "../visit.lua");
const visits = 1_000;

/** Opens a page until its code is compiled: it runs so much of it that a second's load does not get there, and fewer of those that cost more. */
export async function warmUp(url: string, headers: Record<string, string> = {}): Promise<void> {
  for (let visit = 0; visit < visits; visit++) await (await fetch(url, { headers })).arrayBuffer();
}

/** What a page framework costs by itself: a Next route handler that does nothing, and a page that reads a cookie. */
export const trivialNext = served("T", "T: a trivial Next route handler", "/trivial");
export const trivialPage = served("P", "P: a trivial dynamic Next page", "/page");

function served(id: string, title: string, address: string): Subject {
  return { id, title, start: () => serve(address) };
}

async function serve(address: string): Promise<Running> {
  buildOnce();
  const port = await freePort();
  const server = spawn(process.execPath, [next, "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: folder,
    stdio: "ignore",
    env: environment(),
  });
  const url = `http://127.0.0.1:${port}${address}`;
  while (!(await fetch(url).catch(() => undefined))?.ok) await wait(100);
  if (address === "/page") await warmUp(url);
  return {
    url,
    pid: server.pid ?? 0,
    ...(address === "/page" && {
      connections: renderers,
      script: async () => ({ file: visitScript, args: [] }),
    }),
    stop: async () => {
      server.kill();
      await once(server, "exit");
    },
  };
}

function buildOnce(): void {
  const version = readFileSync(path.join(root, "node_modules/next/package.json"), "utf8");
  const stamp = path.join(folder, ".built-with");
  const built = version + JSON.stringify(files);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === built) return;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  execFileSync(process.execPath, [next, "build"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: environment(),
  });
  writeFileSync(stamp, built);
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
});
