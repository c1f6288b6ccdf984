import { parseArgs } from "node:util";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { createIds } from "#server/platform/ids";
import { createLog } from "#server/platform/log";
import { createMetrics } from "#server/platform/metrics";
import { createRequestLog } from "#server/rest/request-log";
import { ensureLogPartitions } from "#server/sweeper/log-partitions";
import { startPostgres } from "#server/testing/postgres";
import { processorTime } from "./processor-time";

/**
 * `npx tsx --tsconfig bench/tsconfig.json bench/request-log.ts [--lines 100000]` says what a line of the request log costs PostgreSQL, in microseconds of the processor
 * time of all of its processes, by how many lines go together: a quiet server writes few each second, a busy one 500 at once.
 */
const { values } = parseArgs({ options: { lines: { type: "string", default: "100000" } } });
const lines = Number(values.lines);
const say = (line: string) => process.stdout.write(`${line}\n`);
const batches = [1, 10, 50, 500];

const postgres = await startPostgres({ durable: true });
const database = openPostgres({ url: postgres.url("postgres") });
try {
  await migrate(database);
  const log = createLog("warn");
  await ensureLogPartitions({ database, log, now: () => new Date() });
  const metrics = createMetrics();
  const findOwners = async () => new Map();
  const requestLog = createRequestLog({ database, log, metrics, findOwners });
  const ids = createIds();
  const accounts = Array.from({ length: 500 }, () => ids.uuid());
  /** As the hottest path writes it: an application's call that went well. */
  const write = (n: number) =>
    requestLog.write({
      ...{
        at: new Date(),
        requestId: ids.request(),
        method: "GET",
        route: "/api/v1/user",
        status: 200,
      },
      ...{
        failureCode: null,
        accountId: accounts[n % accounts.length] ?? null,
        clientId: `app-${n % 40}`,
      },
      ...{ address: "192.0.2.17", micros: 1_234 },
    });
  const writeInBatches = async (count: number, size: number) => {
    for (let n = 0; n < count; n++) {
      write(n);
      if ((n + 1) % size === 0) await requestLog.flush();
    }
    await requestLog.flush();
  };
  // Statements are prepared, and pages taken, before anything counts.
  await writeInBatches(5_000, 500);
  for (const size of batches) {
    // A commit waits for the disk: with few lines in each, fewer are enough.
    const count = Math.min(lines, size * 2_000);
    const [before, begun] = [processorTime(postgres.pid), performance.now()];
    await writeInBatches(count, size);
    const [used, took] = [processorTime(postgres.pid) - before, performance.now() - begun];
    const lost = (await metrics.requestLogDropped.get()).values[0]?.value;
    say(
      `${String(size).padStart(4)} lines together: ${((used * 1_000) / count).toFixed(2)} µs a line of PostgreSQL, ${((took * 1_000) / count).toFixed(1)} µs elapsed, ${count} lines, ${lost} lost`,
    );
  }
  await requestLog.close();
} finally {
  await database.close();
  await postgres.stop();
}
