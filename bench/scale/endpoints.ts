import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { startPostgres } from "#server/testing/postgres";
import { type RecordedLog, recordedLog } from "#server/testing/recorded-log";
import { adminPlayer, drawCallers } from "./callers";
import { openWorld } from "./fill-world";
import { gameDouble } from "./game-double";
import { gameSubjects } from "./game-subjects";
import { jobSubjects } from "./job-subjects";
import { oauthSubjects, portalSubjects } from "./portal-subjects";
import { apiSubjects, type Subject, type World } from "./subjects";
import { quantile, spentBy } from "./timed";

/*
 * What of the product slows down as the tables grow: `npx tsx --tsconfig bench/tsconfig.json bench/scale/endpoints.ts 10000 1000000`. The product's handlers
 * run in this process on a filled PostgreSQL for each size; every call is another account's, and the sizes take turns. Judged is the
 * processor time of a call, the database's and this process's together, which other work on the machine hardly moves.
 */

const most = 1.5;
const best = 1.2;
const slowJob = 50;
const rounds = Number(process.env.SCALE_ROUNDS ?? 200);
/** A job's statement that takes long is not asked as often. */
const budgetMs = 20_000;
const only = process.env.SCALE_ONLY;
const unlimited = "1000000000";
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Sample {
  readonly wall: number[];
  readonly processor: number[];
}

const settings = parseEnvironment({
  SERVER_SECRET: randomBytes(48).toString("base64"),
  // Each call looks its token up: with the cache the second call of a player would not.
  TOKEN_CACHE: "off",
  JOBS: "off",
  DEMO: "0",
  ADMIN_USER_IDS: String(adminPlayer),
  ADMIN_SECOND_FACTOR: "waived",
  ...{ RATE_HOLDER: unlimited, RATE_PEER: unlimited, RATE_CLIENT: unlimited },
});

/** Holds the causes of failures. */
const logs: RecordedLog[] = [];

async function openScale(urlOf: (database: string) => string, size: number): Promise<World> {
  const database = await openWorld(urlOf, size);
  const log = recordedLog();
  logs.push(log);
  const ctx = await createContext(settings, { database, log, gameFetch: gameDouble(size) });
  return { size, ctx, callers: await drawCallers(ctx, { players: size, many: 500 }) };
}

const Pid = z.object({ pid: z.number() });

/** Milliseconds of processor time of this process and of all that serve a world. */
async function meterOf({ ctx }: World): Promise<() => number> {
  const rows = await ctx.database.query.execute(
    sql`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  );
  const backends = z.array(Pid).parse([...(rows as unknown as Iterable<unknown>)]);
  return () => {
    const { user, system } = process.cpuUsage();
    return (
      (user + system) / 1_000 +
      backends.reduce((sum, { pid }) => sum + (existsSync(`/proc/${pid}`) ? spentBy(pid) : 0), 0)
    );
  };
}

async function measure(subject: Subject, worlds: readonly World[]): Promise<Map<number, Sample>> {
  const samples = new Map(worlds.map(({ size }) => [size, { wall: [], processor: [] } as Sample]));
  for (const world of worlds)
    for (let warm = 0; warm < 5; warm++) await (await subject.prepare(world))();
  const end = performance.now() + budgetMs;
  for (let round = 0; round < rounds && (round < 5 || performance.now() < end); round++)
    // In turn each size is first, since what one call leaves behind is at times paid during the next.
    for (const world of round % 2 === 0 ? worlds : worlds.toReversed()) {
      const call = await subject.prepare(world);
      await world.ctx.settled();
      const meter = await meterOf(world);
      const [started, spent] = [performance.now(), meter()];
      await call();
      const [ended, spentAfter] = [performance.now(), meter()];
      samples.get(world.size)?.wall.push(ended - started);
      samples.get(world.size)?.processor.push(spentAfter - spent);
    }
  return samples;
}

const ms = (value: number) => value.toFixed(2).padStart(8);

function show(subject: Subject, samples: ReadonlyMap<number, Sample>): "met" | "missed" {
  const all = [...samples.values()];
  const middles = all.map(({ processor }) => quantile(processor, 0.5));
  const ratio = (middles.at(-1) ?? 0) / (middles[0] ?? 0);
  const wallRatio = quantile(all.at(-1)?.wall ?? [], 0.5) / quantile(all[0]?.wall ?? [], 0.5);
  const missed = subject.group === "job" ? (middles.at(-1) ?? 0) > slowJob : ratio > most;
  const mark = missed ? "MISS" : subject.group !== "job" && ratio > best ? "must" : "";
  const columns = all.map(({ wall, processor }) => [
    ms(quantile(processor, 0.5)),
    ms(quantile(processor, 0.95)),
    ms(quantile(wall, 0.5)),
    ms(quantile(wall, 0.95)),
  ]);
  print(
    `${subject.name.padEnd(66)} ${columns.flat().join("")} ${ratio.toFixed(2).padStart(7)} ${wallRatio.toFixed(2).padStart(6)} ${mark}`,
  );
  return missed ? "missed" : "met";
}

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(10_000, 1_000_000);
// A server of one's own keeps the filled databases for the next run.
const kept = process.env.SCALE_POSTGRES;
const postgres = kept ? undefined : await startPostgres();
const urlOf = (database: string) =>
  postgres?.url(database) ?? (kept ?? "").replace(/[^/]*$/, database);
const worlds: World[] = [];
let missed = 0;
try {
  for (const size of sizes) worlds.push(await openScale(urlOf, size));
  print(
    `For each of ${sizes.join(", ")} players: processor p50, p95, elapsed p50, p95 in ms; then the ratios of both p50.`,
  );
  let group = "";
  for (const subject of [
    ...apiSubjects,
    ...gameSubjects,
    ...oauthSubjects,
    ...portalSubjects,
    ...jobSubjects,
  ]) {
    if (only && !subject.name.includes(only) && subject.group !== only) continue;
    if (subject.group !== group) print(`\n${subject.group}`);
    group = subject.group;
    try {
      if (show(subject, await measure(subject, worlds)) === "missed") missed++;
    } catch (error) {
      missed++;
      print(
        `${subject.name.padEnd(66)} FAILED ${error instanceof Error ? error.message.slice(0, 300) : ""}`,
      );
      print(JSON.stringify(logs.map(({ lines }) => lines.at(-1))).slice(0, 600));
    }
  }
} finally {
  for (const { ctx } of worlds) {
    await ctx.close();
    await ctx.database.close();
  }
  await postgres?.stop();
}
print(`\n${missed} above ${most} times, or for jobs above ${slowJob} ms.`);
process.exitCode = missed > 0 ? 1 : 0;
