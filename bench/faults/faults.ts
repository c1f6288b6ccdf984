import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freezePostgres } from "#server/testing/freeze-postgres";
import { startProduct } from "#server/testing/product";
import { spawnRedis } from "#server/testing/redis";
import type { Deployment, Server } from "./deployment";
import { onPostgres } from "./on-postgres";

/** Something that goes wrong. */
export interface Fault {
  readonly name: string;
  /** Seconds that it lasts. */
  readonly lasts: number;
  /**
   * The PromQL that detects it: it has a value while the fault lasts. Undefined where nothing
   * fails.
   */
  readonly metric?: string;
  /** The alert that is on its way meanwhile, pending or firing, and the heading of docs/runbook.md. */
  readonly alert?: string;
  /** Seconds that no call may take; allowing an application takes three calls. */
  readonly longest: number;
  /** What has to be there before, and is no part of it. */
  readonly prepare?: (deployment: Deployment) => Promise<unknown>;
  /** Why it cannot be tried here. */
  readonly unable?: (deployment: Deployment) => string | undefined;
  /** Makes it happen. @returns undoes it, as an operator would */
  readonly strike: (deployment: Deployment) => Promise<() => Promise<unknown>>;
}

/** A call that asks for a connection first waits a deadline and a half (DATABASE_TIMEOUT_SECONDS), and then does its own work. */
const silentDatabase = 7;
/** The proxy ends a call that a frozen server took. */
const frozenServer = 26;
/** Nothing waits for the part that fails. */
const unharmed = 3;

const first = ({ servers }: Deployment) => servers[0] as Server;

/** Stops processes where they stand. */
const freeze = (...pids: readonly number[]) => {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return async () => {
    for (const pid of pids) process.kill(pid, "SIGCONT");
  };
};

const restart = async (server: Server) => {
  server.product = await startProduct(server.settings);
};

export const faults: readonly Fault[] = [
  {
    name: "a server is killed (-9) while another is replaced",
    ...{ longest: unharmed, lasts: 30, metric: "up == 0", alert: "AdjutantDown" },
    strike: async ({ servers }) => {
      const [killed, replaced] = [servers[0] as Server, servers[1] as Server];
      const ended = replaced.product.end("SIGTERM");
      await killed.product.end("SIGKILL");
      await ended;
      await restart(replaced);
      return () => restart(killed);
    },
  },
  {
    name: "a server is frozen",
    ...{ longest: frozenServer, lasts: 45, metric: "up == 0", alert: "AdjutantDown" },
    strike: async (deployment) => freeze(first(deployment).product.process.pid ?? 0),
  },
  {
    name: "a server is started with a wrong secret",
    ...{ longest: unharmed, lasts: 40, metric: "up == 0", alert: "AdjutantDown" },
    strike: async (deployment) => {
      const server = first(deployment);
      await server.product.end("SIGTERM");
      const settings = {
        ...server.settings,
        SERVER_SECRET: "this-is-another-Secret-than-before-0123456789-abcdefg",
      };
      const said = await startProduct(settings).then(() => "It started!", String);
      process.stdout.write(`  ${said}\n`);
      return () => restart(server);
    },
  },
  {
    name: "the worker is killed (-9)",
    ...{ longest: unharmed, lasts: 30, metric: "up == 0", alert: "AdjutantDown" },
    strike: async (deployment) => {
      deployment.worker.kill("SIGKILL");
      return async () => {
        deployment.worker = deployment.startWorker();
      };
    },
  },
  {
    name: "Redis is killed",
    ...{
      longest: unharmed,
      lasts: 30,
      metric: "increase(adjutant_limiter_fallbacks_total[30s]) > 0",
      alert: "AdjutantLimiterAlone",
    },
    strike: async ({ redis }) => {
      redis.process.kill("SIGKILL");
      return async () => {
        redis.process = (await spawnRedis(redis.port)) ?? redis.process;
      };
    },
  },
  {
    name: "Redis is frozen",
    ...{
      longest: unharmed,
      lasts: 30,
      metric: "increase(adjutant_limiter_fallbacks_total[30s]) > 0",
      alert: "AdjutantLimiterAlone",
    },
    strike: async ({ redis }) => freeze(redis.process.pid ?? 0),
  },
  {
    name: "PgBouncer is frozen",
    ...{
      longest: silentDatabase,
      lasts: 30,
      metric: "adjutant_database_up == 0",
      alert: "AdjutantDatabaseDown",
    },
    strike: async ({ pooler }) => freeze(pooler.pid),
  },
  {
    name: "the database is frozen",
    ...{
      longest: silentDatabase,
      lasts: 30,
      metric: "adjutant_database_up == 0",
      alert: "AdjutantDatabaseDown",
    },
    strike: async ({ primary }) => {
      const awaken = freezePostgres(primary);
      return async () => awaken();
    },
  },
  {
    name: "the synchronous standby is frozen",
    ...{
      longest: silentDatabase,
      lasts: 30,
      metric: "increase(adjutant_database_pool_deadlines_total[30s]) > 0",
      alert: "AdjutantDatabaseSilent",
    },
    strike: async ({ standby }) => {
      const awaken = freezePostgres(standby);
      return async () => awaken();
    },
  },
  {
    name: "a migration runs, is killed (-9), and runs again",
    // Nothing waits for it, so nothing is reported.
    ...{ longest: 1, lasts: 5 },
    prepare: ({ primary }) => onPostgres(primary.url("postgres"), ...manyPlayers),
    strike: async ({ primary }) => {
      const begin = () => {
        const run = spawn(
          process.execPath,
          [
            "--import",
            "tsx",
            path.join(import.meta.dirname, "migration.ts"),
            primary.url("postgres"),
          ],
          { stdio: ["ignore", "inherit", "inherit"] },
        );
        return { run, over: once(run, "exit") };
      };
      const killed = begin();
      // By then it changes rows, of which there are enough for half a minute.
      await wait(6_000);
      killed.run.kill("SIGKILL");
      await killed.over;
      const [code] = await begin().over;
      if (code !== 0) throw new Error("The migration failed.");
      return () =>
        onPostgres(
          primary.url("postgres"),
          "alter table players drop column tried",
          "delete from schema_migrations where tag = '9999_tried'",
        );
    },
  },
  {
    name: "the database's disk is full",
    ...{
      longest: silentDatabase,
      lasts: 30,
      metric: 'rate(adjutant_token_requests_total{error="server_error"}[30s]) > 0',
      alert: "AdjutantErrors",
    },
    unable: ({ disk }) => (disk ? undefined : "only root may mount a disk"),
    strike: async ({ disk = "", primary }) => {
      const filler = path.join(disk, "filler");
      fill(filler);
      return async () => {
        rmSync(filler);
        // PostgreSQL ends itself where it cannot write its log.
        if (!alive(primary.pid)) await primary.restart();
      };
    },
  },
  {
    name: "the primary is killed (-9), and the standby promoted after 15 seconds",
    ...{
      longest: silentDatabase,
      lasts: 15,
      metric: "adjutant_database_up == 0",
      alert: "AdjutantDatabaseDown",
    },
    strike: async ({ primary, standby, pooler }) => {
      await primary.crash();
      return async () => {
        await onPostgres(standby.url("postgres"), "select pg_promote()");
        await pooler.redirect(standby.url("postgres"));
      };
    },
  },
];

/** A million rows in a table that calls read, inserted in parts that no caller waits for. */
const parts = 50;
const manyPlayers = Array.from(
  { length: parts },
  (_, part) =>
    `insert into players (id, name) select 100000000 + ${part * 20_000} + n, 'Somebody ' || n from generate_series(1, 20000) n on conflict do nothing`,
);

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Writes until nothing more can be written. */
function fill(file: string): void {
  const opened = openSync(file, "w");
  for (const size of [1_048_576, 4_096])
    try {
      const zeros = Buffer.alloc(size);
      while (writeSync(opened, zeros) > 0);
    } catch {}
  closeSync(opened);
}
