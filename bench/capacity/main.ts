import { parseArgs } from "node:util";
import { readSettings } from "#server/platform/env";
import { openCluster } from "./cluster";
import { costOf, putSteadyLoad, raiseUntilHalfBusy } from "./measure";
import { type Cost, needsOf, partsByFullness } from "./model";

/**
 * `npm run capacity -- --players 100000 --reads 200 --refreshes 24 --peak 3` measures what calls cost on this machine, and says what so
 * many players need, and what comes to its end first when there are more;
 * DATABASE_POOL_SIZE and the like are read as the service reads them. It ends with what three servers used at one, two and
 * three times a load, beside what was predicted.
 */
const { values } = parseArgs({
  options: {
    players: { type: "string", default: "100000" },
    reads: { type: "string", default: "200" },
    refreshes: { type: "string", default: "24" },
    peak: { type: "string", default: "3" },
    seconds: { type: "string", default: "6" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const seconds = Number(values.seconds);
const [servers, players] = [3, 400];
/** Pools as this environment sets them. */
const setup = {
  pools: readSettings({ serverSecret: false }).databasePools,
};
const round = (value: number, digits = 0) => value.toFixed(digits);
const gigabytes = (bytes: number) => `${round(bytes / 1e9, 1)} GB`;

const cluster = await openCluster({ servers, players });
if (!cluster) {
  say("Left out: everything, because redis-server or haproxy is not here.");
  process.exit(0);
}
try {
  // Functions that are called often are compiled meanwhile: a call costs several times as much before.
  await putSteadyLoad(cluster, { reads: 300, refreshes: 60 }, seconds * 2);
  const idle = await putSteadyLoad(cluster, { reads: 0, refreshes: 0 }, seconds);
  const [{ reads }, { refreshes }] = [
    await raiseUntilHalfBusy(cluster, { reads: 250, refreshes: 0 }),
    await raiseUntilHalfBusy(cluster, { reads: 0, refreshes: 60 }),
  ];
  const [read, refresh] = [
    await putSteadyLoad(cluster, { reads, refreshes: 0 }, seconds),
    await putSteadyLoad(cluster, { reads: 0, refreshes }, seconds),
  ];
  const costs = { read: costOf(idle, read), refresh: costOf(idle, refresh) };
  say(
    `Costs are read at ${round(reads)} reads a second, where ${round(read.busy * 100)} % of the machine was busy, and at ${round(refreshes)} refreshes (${round(refresh.busy * 100)} %).`,
  );
  say("A call costs, in microseconds of processor time and in bytes:");
  for (const [name, { ours, postgres, redis, wal, kept, tokens }] of Object.entries<Cost>(costs))
    say(
      `  ${name.padEnd(8)} ours ${round(ours)}, PostgreSQL ${round(postgres)}, Redis ${round(redis)}; log of writes ${round(wal)}, rows ${round(kept)}${name === "refresh" ? `, access token ${round(tokens)}` : ""}`,
    );
  for (const by of [1, 10, 100, 1_000]) {
    const demand = {
      players: Number(values.players) * by,
      ...{
        readsADay: Number(values.reads),
        refreshesADay: Number(values.refreshes),
        peak: Number(values.peak),
      },
    };
    const needs = needsOf(demand, costs, setup);
    const [first, ...others] = partsByFullness(needs);
    say(
      `${by === 1 ? "" : `${by} × `}${values.players} players: ${round(needs.callsASecond)} calls a second at the peak`,
    );
    say(
      `  ${needs.instances} instances, ${needs.databaseCores} database cores, ${needs.connections} connections (behind PgBouncer ${needs.pooler.clients} to it and ${needs.pooler.past} past it), ${round(needs.cores.redis, 2)} of Redis's core; a day ${gigabytes(needs.walADay)} of log, ${gigabytes(needs.keptADay)} of rows`,
    );
    say(
      `  ${round(needs.tokens.rowsADay)} access tokens a day of ${gigabytes(needs.tokens.bytesADay)}, each there until a day after its end: ${gigabytes(needs.tokens.bytes)}`,
    );
    for (const { part, full, next } of [first, ...others.filter((each) => each.full > 1)].filter(
      (each) => !!each,
    ))
      say(`  ${part}: ${round(full * 100)} % full; from its end on ${next}`);
  }
  say("Three servers behind HAProxy, cores used and (predicted):");
  for (const by of [1, 2, 3]) {
    // Three times it are half of the rates at which the costs were read, together, or what any machine can bear.
    const rates = {
      reads: by * Math.max(100, reads / 6),
      refreshes: by * Math.max(20, refreshes / 6),
    };
    const used = await putSteadyLoad(cluster, rates, seconds);
    const predicted = (part: "ours" | "postgres" | "redis") =>
      idle.cores[part] +
      (used.calls.reads * costs.read[part] + used.calls.refreshes * costs.refresh[part]) /
        1e6 /
        used.seconds;
    const told = (["ours", "postgres", "redis"] as const).map(
      (part) => `${part} ${round(used.cores[part], 3)} (${round(predicted(part), 3)})`,
    );
    say(
      `  ${by} ×: ${told.join(", ")}; ${used.calls.failed} of ${used.calls.reads + used.calls.refreshes} calls failed`,
    );
  }
} finally {
  await cluster.stop();
}
