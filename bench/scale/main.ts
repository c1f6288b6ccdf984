import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Database, openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { startPostgres } from "#server/testing/postgres";
import { measureChainList } from "./chain-list";
import { fillPlayers } from "./fill-players";
import { quantile, type Timed } from "./timed";

/** Measures what must not slow down as the tables grow. `npx tsx --tsconfig bench/tsconfig.json bench/scale/main.ts 10000 1000000` */
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(10_000, 1_000_000);

const print = (line: string) => process.stdout.write(`${line}\n`);

function sumUp(size: number, measured: readonly Timed[]): void {
  for (const group of new Set(["all", ...measured.map((one) => one.group)])) {
    const chosen = measured.filter((one) => group === "all" || one.group === group);
    const figures = (times: readonly number[]) =>
      [quantile(times, 0.5), quantile(times, 0.95), Math.max(...times)]
        .map((ms) => ms.toFixed(1).padStart(6))
        .join(" ");
    const [elapsed, processor] = [
      chosen.map((one) => one.elapsed),
      chosen.map((one) => one.processor),
    ].map(figures);
    print(
      `${size.toLocaleString("en").padStart(9)}  ${group.padEnd(18)} ${elapsed}   ${processor}`,
    );
  }
  const slowest = [...measured].sort((a, b) => b.processor - a.processor).slice(0, 12);
  for (const { processor, name } of slowest)
    print(`           ${processor.toFixed(1).padStart(6)} ms  ${name}`);
}

/** The process that answers the handle, which has one connection. */
async function backendOf(database: Database): Promise<number> {
  const answer = await database.query.execute(sql`select pg_backend_pid() as pid`);
  const [row] = z.array(z.object({ pid: z.number() })).parse(answer);
  return row?.pid ?? 0;
}

print(
  "                                p50    p95  worst ms     p50    p95  worst ms of the processor",
);
const postgres = await startPostgres({ durable: true });
const admin = openPostgres({ url: postgres.url("postgres"), pools: { general: 1 } });
try {
  for (const size of sizes) {
    await admin.script(`create database scale_${size}`);
    const database = openPostgres({
      url: postgres.url(`scale_${size}`),
      deadline: 3_600_000,
      pools: { general: 1 },
    });
    await migrate(database);
    const now = new Date();
    const world = await fillPlayers(database, size, now);
    sumUp(
      size,
      await measureChainList(database, { world, now, backend: await backendOf(database) }),
    );
    await database.close();
  }
} finally {
  await admin.close();
  await postgres.stop();
}
