import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { installedPrograms } from "#server/testing/backup-world";
import { freePort } from "#server/testing/free-port";
import { startPgBouncer } from "#server/testing/pgbouncer";
import { type RunningPostgres, startPostgres } from "#server/testing/postgres";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { spawnRedis } from "#server/testing/redis";
import { onPostgres } from "./on-postgres";
import { type Standby, startStandby } from "./standby";

const root = path.join(import.meta.dirname, "../..");
const high = "1000000000";
const rates = [
  "RATE_HOLDER",
  "RATE_PEER",
  "RATE_CLIENT",
  "RATE_AUTHORIZE",
  "RATE_PAGES",
  "RATE_VAULT",
  "RATE_REFRESH",
];

/** One server, and the settings with which it is started again. */
export interface Server {
  readonly settings: Readonly<Record<string, string>>;
  product: RunningProduct;
}

/**
 * What docs/operations.md describes, on one machine: four servers, a worker, PostgreSQL with a
 * synchronous standby behind PgBouncer, Redis, HAProxy with the configuration of `deploy/` and Prometheus with its alerts.
 */
export interface Deployment {
  readonly url: string;
  readonly prometheus: string;
  readonly servers: readonly Server[];
  readonly primary: RunningPostgres;
  readonly standby: Standby;
  readonly pooler: { readonly pid: number; redirect(url: string): Promise<void> };
  readonly redis: { readonly port: number; process: ChildProcess };
  /** Of a process that runs jobs alone. */
  worker: ChildProcess;
  startWorker(): ChildProcess;
  /** The folder that has a file system of its own with the database in it; undefined where this user may not mount one. */
  readonly disk: string | undefined;
  stop(): Promise<void>;
}

/** @throws where a program is missing */
export async function openDeployment(): Promise<Deployment> {
  const folder = mkdtempSync(path.join(tmpdir(), "adjutant-faults-"));
  // PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o711);
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ends.reverse()) await Promise.resolve(end()).catch(() => {});
  };
  try {
    const programs = (await installedPrograms()) ?? missing("PostgreSQL with pg_basebackup");
    const disk = ownDisk(path.join(folder, "disk"), ends);
    const primary = await within(disk, () => startPostgres({ programs, durable: true }));
    ends.push(() => primary.stop());
    const standby = await startStandby(primary, programs);
    ends.push(() => standby.stop());
    // No commit is acknowledged before the standby has it on its disk.
    await onPostgres(
      primary.url("postgres"),
      "alter system set synchronous_standby_names = '*'",
      "select pg_reload_conf()",
    );
    const pooler = (await startPgBouncer(primary.url("postgres"))) ?? missing("pgbouncer");
    ends.push(() => pooler.stop());
    const redisPort = await freePort();
    const redis = {
      port: redisPort,
      process: (await spawnRedis(redisPort)) ?? missing("redis-server"),
    };
    ends.push(() => redis.process.kill("SIGKILL"));

    const [publicPort, workerMetrics] = [await freePort(), await freePort()];
    const both = `:${primary.port},127.0.0.1:${new URL(standby.url("postgres")).port}/`;
    const direct = primary.url("postgres").replace(`:${primary.port}/`, both);
    const shared = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: `${direct}?target_session_attrs=read-write`,
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      SERVER_SECRET: randomBytes(48).toString("base64"),
      BASE_URL: `http://localhost:${publicPort}`,
      TRUSTED_PROXIES: "127.0.0.1",
      DEMO: "still",
      ...Object.fromEntries(rates.map((name) => [name, high])),
    };
    const servers: Server[] = [];
    const targets = [workerMetrics];
    for (const _ of serverNames) {
      const [port, metrics] = [await freePort(), await freePort()];
      targets.push(metrics);
      const own = {
        PORT: String(port),
        METRICS_PORT: String(metrics),
      };
      const settings = { ...shared, ...own, JOBS: "off" };
      const server: Server = { settings, product: await startProduct(settings, root) };
      servers.push(server);
      ends.push(() => server.product.end("SIGKILL"));
    }
    const startWorker = () => {
      const { PATH = "", HOME = "" } = process.env;
      const env = {
        PATH,
        HOME,
        NODE_ENV: "production" as const,
        ...shared,
        METRICS_PORT: String(workerMetrics),
      };
      return spawn(process.execPath, ["scripts/start.mjs", "worker"], {
        cwd: root,
        env,
        stdio: "ignore",
      });
    };
    const deployment = { worker: startWorker() };
    ends.push(() => deployment.worker.kill("SIGKILL"));
    const proxy = startProxy(
      folder,
      publicPort,
      servers.map(({ settings }) => settings.PORT ?? ""),
    );
    ends.push(() => proxy.kill("SIGKILL"));
    const watch = await startPrometheus(folder, targets);
    ends.push(() => watch.process.kill("SIGKILL"));
    const isReady = () =>
      fetch(`${shared.BASE_URL}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) await wait(100);
    return Object.assign(deployment, {
      ...{
        url: shared.BASE_URL,
        prometheus: watch.url,
        servers,
        primary,
        standby,
        pooler,
        redis,
        disk,
      },
      ...{ startWorker, stop },
    });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** As the proxy names them. */
const serverNames = ["api-1", "api-2", "pages-1", "pages-2"];

const missing = (program: string): never => {
  throw new Error(`${program} is not here.`);
};

const diskBytes = "2g";

/** A file system that can be full. Only root may mount one. */
function ownDisk(folder: string, ends: (() => unknown)[]): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes},mode=1777`, "tmpfs", folder]);
  ends.push(() => execFileSync("umount", ["-l", folder]));
  return folder;
}

/** Begins `work` with this folder for temporary files. */
async function within<Result>(
  folder: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const { TMPDIR } = process.env;
  if (folder) process.env.TMPDIR = folder;
  const begun = work();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  return begun;
}

/** The proxy of `deploy/`, which finds the servers at ports of this machine and takes plain HTTP. */
function startProxy(folder: string, port: number, ports: readonly string[]): ChildProcess {
  const config = readFileSync(path.join(root, "deploy/haproxy/haproxy.cfg"), "utf8")
    .replace(/^frontend plain\n(?: .*\n)*/m, "")
    .replace(/^resolvers system\n(?: .*\n)*/m, "")
    .replaceAll(" resolvers system init-addr none", "")
    .replace(/bind :8443 .*/, `bind 127.0.0.1:${port}`)
    .replace(
      / (api-\d|pages-\d):3000/g,
      (_all, name) => ` 127.0.0.1:${ports[serverNames.indexOf(name)]}`,
    );
  const file = path.join(folder, "haproxy.cfg");
  writeFileSync(file, config);
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  return spawn("haproxy", ["-db", "-f", file], { env, stdio: ["ignore", "ignore", "inherit"] });
}

async function startPrometheus(folder: string, targets: readonly number[]) {
  const port = await freePort();
  const config = {
    global: { scrape_interval: "6s", scrape_timeout: "6s", evaluation_interval: "2s" },
    rule_files: [path.join(root, "deploy/prometheus/alerts.yaml")],
    scrape_configs: [
      {
        job_name: "adjutant",
        static_configs: [{ targets: targets.map((each) => `127.0.0.1:${each}`) }],
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(path.join(folder, "prometheus.yaml"), JSON.stringify(config));
  const flags = [
    `--config.file=${folder}/prometheus.yaml`,
    `--storage.tsdb.path=${folder}/prometheus`,
  ];
  const child = spawn("prometheus", [...flags, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: "ignore",
  });
  await once(child, "spawn");
  return { process: child, url: `http://127.0.0.1:${port}` };
}
