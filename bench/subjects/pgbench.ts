import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { openPostgres } from "#db/client";
import { noRedis, openOurs, openServices } from "../ours";
import { processorTime } from "../processor-time";
import { beginChains } from "../refresh-chains";
import { rotationSql } from "../rotation-sql";
import type { Round, Subject } from "../subject";

const run = promisify(execFile);
const clients = 8;

/** The ceiling of a refresh: its very statement, sent by PostgreSQL's own benchmark. */
export const pgbench: Subject = {
  id: "pgbench",
  title: `pgbench: the refresh's statement alone, ${clients} clients`,
  start: async (installation) => {
    if (!(await isThere()))
      return { leftOut: "pgbench is not on the PATH (Debian: apt-get install postgresql-contrib)" };
    const services = await openServices();
    if (!services) return { leftOut: noRedis };
    // The product makes the account, the application and the consent that the chains hang on.
    const ours = await openOurs({ installation, services }, {});
    await ours.product.stop();
    const { databaseUrl, postgres } = services;
    const source = { databaseUrl, serverSecret: ours.serverSecret };
    const file = path.join(tmpdir(), `adjutant-bench-${process.pid}.sql`);
    await writeFile(
      file,
      `\\set n :n + 1\n${await rotationSql(databaseUrl, ours.client.clientId)};\n`,
    );
    let round = 0;
    return {
      url: databaseUrl,
      pid: postgres.pid,
      load: async (seconds) => {
        round++;
        await nameChains(source, round);
        const before = processorTime(postgres.pid);
        const shape = [
          "-n",
          "-M",
          "prepared",
          "-c",
          String(clients),
          "-j",
          "2",
          "-T",
          String(seconds),
        ];
        const { stdout } = await run("pgbench", [
          ...shape,
          "-D",
          "n=-1",
          "-D",
          `r=${round}`,
          "-f",
          file,
          databaseUrl,
        ]);
        const spent = processorTime(postgres.pid) - before;
        return roundOf(stdout, spent, await countRotations(databaseUrl, round));
      },
      stop: async () => {
        await rm(file, { force: true });
        await services.stop();
      },
    };
  },
};

const isThere = (): Promise<boolean> =>
  run("pgbench", ["--version"]).then(
    () => true,
    () => false,
  );

/** Gives each client's first token a name that the script can count on from. */
async function nameChains(
  source: { databaseUrl: string; serverSecret: string },
  round: number,
): Promise<void> {
  const chains = await beginChains(source, clients);
  const database = openPostgres({ url: source.databaseUrl });
  for (const [client, { hash }] of chains.entries())
    await database.query.execute(
      sql`update refresh_tokens set hash = ${`bench-${round}-${client}-0`} where hash = ${hash}`,
    );
  await database.close();
}

async function countRotations(databaseUrl: string, round: number): Promise<number> {
  const database = openPostgres({ url: databaseUrl });
  const answer = await database.query.execute(
    sql`select count(*)::int as count from refresh_tokens where hash like ${`bench-${round}-%`} and consumed_at is not null`,
  );
  await database.close();
  return z.array(z.object({ count: z.number() })).parse(answer)[0]?.count ?? 0;
}

function roundOf(output: string, spent: number, rotations: number): Round {
  const figure = (pattern: RegExp) => Number(pattern.exec(output)?.[1]);
  const transactions = figure(/number of transactions actually processed: (\d+)/);
  return {
    requestsPerSecond: figure(/tps = ([\d.]+) \(without/),
    microseconds: (spent * 1_000) / transactions,
    p50: figure(/latency average = ([\d.]+) ms/),
    p99: Number.NaN,
    faults: transactions - rotations,
  };
}
