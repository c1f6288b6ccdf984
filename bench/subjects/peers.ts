import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "#server/testing/free-port";
import { noRedis, openServices, type Services } from "../ours";
import type { Running, Subject } from "../subject";

const run = promisify(execFile);
const here = path.join(import.meta.dirname, "..");
const python = process.env.PEER_PYTHON ?? "python3";
/** Of the refresh's script: one for each connection, and some that wrk makes up but does not send. */
export const tokens = 80;
const workers = 2;
export const authorization = `Basic ${Buffer.from("peer:peer-secret").toString("base64")}`;

export interface Peer {
  readonly url: string;
  readonly pid: number;
  /** Unused tokens: "access refresh", a line each. */
  mint(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** What the same work costs in the Python stack that such services are often written in. */
export const flaskRead: Subject = {
  id: "flask-user",
  title: "Flask + Authlib + peewee + Redis: a read with a bearer token",
  against: "user",
  start: () => reading(startFlask, "/api/v1/user"),
};

export const flaskRefresh: Subject = {
  id: "flask-refresh",
  title: "Flask + Authlib + peewee: refresh with rotation, durable",
  against: "refresh",
  start: () => refreshing(startFlask, "/oauth/token"),
};

/** The best-known provider of the platform. */
export const oidcRead: Subject = {
  id: "oidc-user",
  title: "oidc-provider on PostgreSQL: userinfo",
  against: "user",
  start: () => reading(startOidc, "/me"),
};

export const oidcRefresh: Subject = {
  id: "oidc-refresh",
  title: "oidc-provider on PostgreSQL: refresh without rotation, durable",
  against: "refresh",
  start: () => refreshing(startOidc, "/token"),
};

type Start = (services: Services) => Promise<Peer | string>;

export const reading = (start: Start, at: string) =>
  measured(start, { at, script: "read.lua", column: 0, last: [] as readonly string[] });
export const refreshing = (start: Start, at: string) =>
  measured(start, { at, script: "refresh.lua", column: 1, last: [authorization] });

async function measured(
  start: Start,
  how: { at: string; script: string; column: 0 | 1; last: readonly string[] },
): Promise<Running | { leftOut: string }> {
  const services = await openServices();
  if (!services) return { leftOut: noRedis };
  const peer = await start(services);
  if (typeof peer === "string") {
    await services.stop();
    return { leftOut: peer };
  }
  const file = path.join(tmpdir(), `adjutant-bench-${peer.pid}.tokens`);
  return {
    url: `${peer.url}${how.at}`,
    pid: peer.pid,
    script: async () => {
      const minted = await peer.mint();
      await writeFile(file, minted.map((line) => `${line.split(" ")[how.column]}\n`).join(""), {
        mode: 0o600,
      });
      return { file: path.join(here, how.script), args: [file, ...how.last] };
    },
    stop: async () => {
      await rm(file, { force: true });
      await peer.stop();
      await services.stop();
    },
  };
}

async function startFlask(services: Services): Promise<Peer | string> {
  const packages = "flask, authlib, peewee, redis, psycopg2, gunicorn";
  const there = await run(python, ["-c", `import ${packages}`]).then(
    () => true,
    () => false,
  );
  if (!there)
    return `${python} lacks packages (pip install flask authlib peewee redis psycopg2-binary gunicorn, then PEER_PYTHON)`;
  const env = {
    ...process.env,
    PEER_DATABASE_URL: services.databaseUrl,
    PEER_REDIS_URL: services.redis.url,
  };
  const folder = path.join(here, "peers");
  const mint = async () => {
    const { stdout } = await run(python, ["flask_peer.py", "prepare", String(tokens)], {
      cwd: folder,
      env,
    });
    return stdout.trim().split("\n");
  };
  await mint();
  const port = await freePort();
  const shape = [
    "-w",
    String(workers),
    "-b",
    `127.0.0.1:${port}`,
    "--log-level",
    "error",
    "--keep-alive",
    "60",
  ];
  const server = spawn(
    python,
    ["-m", "gunicorn", ...shape, "-k", "gthread", "--threads", "8", "flask_peer:app"],
    {
      cwd: folder,
      env,
      stdio: "ignore",
    },
  );
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => undefined))) await wait(100);
  return { url, pid: server.pid ?? 0, mint, stop: () => end(server) };
}

async function startOidc(services: Services): Promise<Peer> {
  const port = String(await freePort());
  const env = {
    ...process.env,
    NODE_ENV: "production",
    PEER_DATABASE_URL: services.databaseUrl,
    PEER_PORT: port,
  };
  const server = spawn(process.execPath, [path.join(here, "peers/oidc-provider.mjs")], {
    env: { ...env, PEER_TOKENS: String(tokens) } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const minted: string[] = [];
  for await (const line of createInterface({ input: server.stdout })) {
    if (line === "ready") break;
    // It also prints warnings.
    if (/^\S{20,} \S{20,}$/.test(line)) minted.push(line);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid ?? 0,
    mint: async () => minted,
    stop: () => end(server),
  };
}

export async function end(server: ReturnType<typeof spawn>): Promise<void> {
  server.kill();
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
}
