import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Database, openPostgres, type Queryable } from "#db/client";
import { createMetrics } from "./platform/metrics";
import { readFromReplica } from "./read-from-replica";
import { installedPrograms } from "./testing/backup-world";
import { freezePostgres } from "./testing/freeze-postgres";
import { type RunningPostgres, startPostgres } from "./testing/postgres";
import { type Standby, startStandby } from "./testing/standby";

const programs = await installedPrograms();
if (!programs)
  process.stdout.write(
    "note: no PostgreSQL with pg_basebackup is installed: replicas are not tried\n",
  );
const here: { primary?: RunningPostgres; standby?: Standby; database?: Database } = {};
const primary = () => here.primary ?? expect.unreachable();
const standby = () => here.standby ?? expect.unreachable();
const database = () => here.database ?? expect.unreachable();
/** A session of the test's own on the replica. */
const onReplica = async (statement: string) => {
  const session = openPostgres({ url: standby().url("postgres"), pools: { general: 1 } });
  await session.query.execute(sql.raw(statement)).finally(() => session.close());
};
const end = async () => {
  await here.database?.close();
  await here.standby?.stop();
  await here.primary?.stop();
};
afterAll(end);

/** A row of what is read, and whether a replica told it. */
async function readOn(on: Queryable) {
  const found = await on.execute(
    sql`select max(n)::int as n, pg_is_in_recovery() as copy from notes`,
  );
  return (
    [...(found as unknown as Iterable<{ n: number; copy: boolean }>)][0] ?? expect.unreachable()
  );
}
const metrics = createMetrics();
const ctx = () => ({ database: database(), metrics });
const read = () => readFromReplica(ctx(), ({ database: { query } }) => readOn(query));
const write = (n: number) => database().query.execute(sql`insert into notes values (${n})`);
const untilUsed = () => expect.poll(async () => (await read()).copy).toBe(true);

describe.skipIf(!programs)("a read that the replica is for", { timeout: 120_000 }, () => {
  beforeEach(async () => {
    await end();
    here.primary = await startPostgres({ programs: programs ?? "", durable: true });
    here.standby = await startStandby(primary(), programs ?? "");
    here.database = openPostgres({
      url: primary().url("postgres"),
      replicaUrl: standby().url("postgres"),
      deadline: 2_000,
    });
    await database().script("create table notes (n int)");
    await untilUsed();
  });

  test("is made there, and finds what anybody wrote before, however little before", async () => {
    const elsewhere = openPostgres({ url: primary().url("postgres"), pools: { general: 1 } });
    let copies = 0;
    for (let n = 1; n <= 60 || copies === 0; n++) {
      await (n % 2 ? database() : elsewhere).query.execute(sql`insert into notes values (${n})`);
      const found = await Promise.all([read(), read(), read()]);
      expect(found.map((each) => each.n)).toEqual([n, n, n]);
      copies += found.filter(({ copy }) => copy).length;
    }
    await elsewhere.close();
  });

  test("is made on the primary while the replica is behind, and there again once it is not", async () => {
    await onReplica("select pg_wal_replay_pause()");
    await write(1);
    expect([await read(), database().replica?.status()]).toEqual([{ n: 1, copy: false }, "behind"]);
    await onReplica("select pg_wal_replay_resume()");
    await untilUsed();
  });

  test("is made on the primary while the replica is frozen, also one that it left unanswered", async () => {
    const awaken = freezePostgres(standby());
    try {
      // A reader that asked before the freeze: the replica had caught up, and then said no more.
      const { replica } = database();
      if (!replica) expect.unreachable();
      const trusting = { ...replica, upToDate: async () => openQuery };
      const session = openPostgres({
        url: standby().url("postgres"),
        pools: { general: 1 },
        deadline: 1_000,
      });
      const openQuery = session.query;
      const left = readFromReplica(
        { metrics, database: { ...database(), replica: trusting } },
        (on) => readOn(on.database.query),
      );
      await write(1);
      expect(await left).toEqual({ n: 1, copy: false });
      expect([await read(), database().replica?.status()]).toEqual([
        { n: 1, copy: false },
        "silent",
      ]);
      await session.close();
    } finally {
      awaken();
    }
    await untilUsed();
  });

  test("is never made on a replica that was promoted", async () => {
    await onReplica("select pg_promote()");
    await write(1);
    expect([await read(), database().replica?.status()]).toEqual([
      { n: 1, copy: false },
      "promoted",
    ]);
  });

  test("is never made on the replica of another primary", async () => {
    const other = await startPostgres({ programs: programs ?? "" });
    const wrong = openPostgres({
      url: other.url("postgres"),
      replicaUrl: standby().url("postgres"),
    });
    const { replica } = wrong;
    await expect
      .poll(async () => [await replica?.upToDate(), replica?.status()])
      .toEqual([undefined, "foreign"]);
    await wrong.close();
    await other.stop();
  });

  test("is made on the primary when the replica is gone", async () => {
    await standby().stop();
    await write(1);
    expect([await read(), database().replica?.status()]).toEqual([{ n: 1, copy: false }, "silent"]);
    expect(database().outages.lasting()).toBe(false);
  });

  test("that would write is carried out on the primary alone", async () => {
    await readFromReplica(ctx(), (on) =>
      on.database.query.execute(sql`insert into notes values (7)`),
    );
    expect((await read()).n).toBe(7);
  });
});
