import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { testPostgresUrl } from "#server/testing/database";
import { nextRelease } from "#server/testing/next-release";
import { type Database, openPostgres } from "./client";
import { migrate } from "./migrate";

const rows = 60_000;
const calls = 5;
async function filledDatabase(): Promise<{ url: string; database: Database }> {
  const url = await testPostgresUrl();
  const database = openPostgres({ url, pools: { general: 4 }, deadline: 60_000 });
  onTestFinished(() => database.close());
  await database.script(
    `insert into players (id, name) select n, 'Player ' || n from generate_series(1, ${rows}) n`,
  );
  return { url, database };
}

const shapeOf = ({ query }: Database) =>
  query.execute(sql`
    select 'column' as kind, table_name || '.' || column_name as name, data_type || ' ' || is_nullable as is
      from information_schema.columns where table_schema = 'public'
    union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'unfinished index', indexrelid::regclass::text, '' from pg_index where not indisvalid
    order by 1, 2`);

const program = `
  import { openPostgres } from "#db/client";
  import { migrate } from "#db/migrate";
  const database = openPostgres({ url: process.env.MIGRATED });
  await migrate(database, process.env.MIGRATIONS);
  await database.close();`;

function startMigration(url: string, folder: string) {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", program],
    {
      env: { ...process.env, MIGRATED: url, MIGRATIONS: folder },
      stdio: "inherit",
    },
  );
  return { child, ended: once(child, "exit") };
}

/** Changes whenever a statement has changed the schema or rows. */
async function progress({ query }: Database): Promise<string> {
  return JSON.stringify(
    await query.execute(sql`
      select (select count(*)::int from schema_migrations) as migrations, (select count(*)::int from pg_class) as relations,
        (select count(*)::int from pg_attribute where attrelid = 'players'::regclass) as columns,
        (select count(*)::int from pg_index where not indisvalid) as unfinished,
        (select count(*)::int from players where id % 500 = 0 and to_jsonb(players) ->> 'tried' = '1') as tried`),
  );
}

test("a migration that is killed again and again ends with the schema and the rows of one that was left alone", {
  timeout: 600_000,
}, async () => {
  const { url, database } = await filledDatabase();
  const folder = await nextRelease();
  let kills = 0;
  for (let steps = 1; ; steps += 1) {
    const before = await progress(database);
    const { child, ended } = startMigration(url, folder);
    // Each process is killed one change later than the one before, to cover many points.
    let changes = 0;
    let last = before;
    while (child.exitCode === null && changes < steps) {
      await wait(2);
      const now = await progress(database);
      if (now !== last) changes += 1;
      last = now;
    }
    if (child.exitCode !== null) break;
    child.kill("SIGKILL");
    kills += 1;
    await ended;
  }
  expect(kills).toBeGreaterThan(2);
  expect(await migrate(database, folder)).toEqual([]);

  const { database: undisturbed } = await filledDatabase();
  await migrate(undisturbed, folder);
  const shape = await shapeOf(undisturbed);
  expect(await shapeOf(database)).toEqual(shape);
  expect(shape).toContainEqual(expect.objectContaining({ name: "players.tried_again" }));
  expect(
    await database.query.execute(sql`
      select count(*)::int as players, count(*) filter (where tried = 1)::int as tried from players`),
  ).toEqual([{ players: rows, tried: rows }]);
});

test("RE-21: a migration that waits for a lock lets the calls through that came after it, those of the previous release too", async () => {
  const { url, database } = await filledDatabase();
  const folder = await nextRelease();
  const other = openPostgres({ url, pools: { general: 1 }, deadline: 60_000 });
  onTestFinished(() => other.close());
  let migrated = false;
  let migration: Promise<void> | undefined;
  // A long report: the tables that it has read cannot be altered meanwhile.
  await other.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from players`);
    migration = migrate(database, folder).then(() => {
      migrated = true;
    });
    await expect
      .poll(() =>
        database.query.execute(
          sql`select from pg_locks where relation = 'players'::regclass and not granted`,
        ),
      )
      .toHaveLength(1);
    // Each of these queues behind the waiting statement.
    for (let call = 0; call < calls; call++) {
      await database.query.execute(
        sql`insert into players (id, name) values (${rows + 1 + call}, 'Called')`,
      );
      await wait(100);
    }
    expect(migrated).toBe(false);
  });
  await migration;
  expect(migrated).toBe(true);
  const [counted] = await database.query
    .select({ calls: sql<number>`count(*)::int` })
    .from(sql`players`)
    .where(sql`name = 'Called'`);
  expect(counted?.calls).toBe(calls);
});
