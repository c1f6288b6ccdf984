import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { type Database, openPostgres } from "#db/client";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { freePort } from "#server/testing/free-port";
import { type Instance, prepareInstances } from "#server/testing/instances";
import { basic, mintApplication, mintTokens } from "#server/testing/oauth-world";
import { mintUser } from "#server/testing/world";
import { openServices, type Services } from "../ours";

const unlimited = "1000000000";
const secret = "capacity-is-measured-under-this-Server-Secret-0123456789-ab";
const settings = {
  SERVER_SECRET: secret,
  GAME_API_URL: "http://127.0.0.1:9/v2",
  ...{
    RATE_HOLDER: unlimited,
    RATE_PEER: unlimited,
    RATE_CLIENT: unlimited,
    RATE_AUTHORIZE: unlimited,
  },
};

/** Servers behind HAProxy on one PostgreSQL and one Redis, and the tokens of their players. */
export interface Cluster {
  readonly url: string;
  readonly pids: {
    readonly ours: readonly number[];
    readonly postgres: number;
    readonly redis: number;
  };
  readonly database: Database;
  readonly authorization: string;
  readonly accessTokens: readonly string[];
  readonly refreshTokens: string[];
  stop(): Promise<void>;
}

/** @returns undefined where Redis or HAProxy is missing */
export async function openCluster({
  servers,
  players,
}: {
  servers: number;
  players: number;
}): Promise<Cluster | undefined> {
  const services = await openServices();
  if (!services) return undefined;
  const instances = await prepareInstances();
  const env = { ...settings, DATABASE_URL: services.databaseUrl, REDIS_URL: services.redis.url };
  const running: Instance[] = [];
  for (let n = 0; n < servers; n++) running.push(await instances.start(env));
  const proxy = await startProxy(running.map(({ url }) => new URL(url).port));
  const database = openPostgres({ url: services.databaseUrl });
  return {
    url: proxy.url,
    pids: {
      ours: running.map(({ pid }) => pid),
      postgres: services.postgres.pid,
      redis: await redisPid(services),
    },
    database,
    ...(await mintPlayers(env, players)),
    stop: async () => {
      await proxy.stop();
      await database.close();
      for (const each of running) await each.end();
      instances.remove();
      await services.stop();
    },
  };
}

async function mintPlayers(env: Readonly<Record<string, string>>, players: number) {
  const ctx = await createContext(parseEnvironment({ ...env, JOBS: "off", LOG_LEVEL: "silent" }), {
    serves: false,
  });
  const app = await mintApplication(ctx, await mintUser(ctx, { id: 1 }));
  const pairs = [];
  for (let n = 0; n < players; n++)
    pairs.push(await mintTokens(ctx, app, { user: await mintUser(ctx, { id: 2 + n }) }));
  await ctx.close();
  return {
    authorization: basic(app),
    // A refresh ends the access token before: half of the players read, half refresh.
    accessTokens: pairs.slice(0, players / 2).map((pair) => pair.access_token),
    refreshTokens: pairs.slice(players / 2).map((pair) => pair.refresh_token ?? ""),
  };
}

async function redisPid({ redis }: Services): Promise<number> {
  const client = new Redis(redis.url);
  const said = await client.info("server").finally(() => client.disconnect());
  return Number(/process_id:(\d+)/.exec(said)?.[1]);
}

async function startProxy(ports: readonly string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-proxy-"));
  const [port, file] = [await freePort(), path.join(folder, "haproxy.cfg")];
  const text = [
    ...[
      "defaults",
      "  mode http",
      "  timeout connect 2s",
      "  timeout client 75s",
      "  timeout server 75s",
    ],
    ...[
      "frontend public",
      `  bind 127.0.0.1:${port}`,
      "  default_backend servers",
      "backend servers",
      "  balance leastconn",
    ],
    ...ports.map((each, at) => `  server server-${at} 127.0.0.1:${each}`),
    "",
  ];
  await writeFile(file, text.join("\n"));
  const child = spawn("haproxy", ["-db", "-f", file], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: "ignore",
  });
  await new Promise((resolve, reject) =>
    child.once("spawn", () => resolve(undefined)).once("error", reject),
  );
  const kill = () => {
    child.kill("SIGKILL");
  };
  process.once("exit", kill);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      process.off("exit", kill);
      kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
