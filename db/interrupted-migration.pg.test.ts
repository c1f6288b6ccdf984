import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { emptyDatabase, testPostgresUrl } from "#server/testing/database";
import { type Database, openPostgres } from "./client";
import { migrate } from "./migrate";

const rows = 6_000;
const calls = 5;
/** What a release with three migrations held: players with stats, consents with a grant each. */
const filled = `
  insert into players (id, name) select n, 'Player ' || n from generate_series(1, ${rows}) n;
  insert into accounts (id, player_id, created_at) select gen_random_uuid(), n, now() from generate_series(1, ${rows}) n;
  insert into stat_latest (visible_to, player_id, score, level, time_added, draw)
    select 0, n, 100 + n * 37, 1 + n % 100, now(), random() from generate_series(1, ${rows}) n;
  insert into applications (client_id, owner_id, kind, name, redirect_uris, scopes, client_uri, tos_uri, privacy_uri, privacy, created_at, updated_at)
    select 'client-' || n, (select id from accounts limit 1), 'web', 'App ' || n, '{}', '{identity}', '', '', '', '{}', now(), now()
    from generate_series(1, 10) n;
  insert into consents (id, account_id, client_id, scopes, created_at, updated_at)
    select gen_random_uuid(), id, 'client-' || 1 + player_id % 10, '{identity}', now(), now() from accounts;
  insert into grants (id, consent_id, scopes, created_at, absolute_expiry)
    select gen_random_uuid(), id, '{identity}', now(), now() + interval '1 day' from consents;`;

async function olderRelease(): Promise<{ url: string; database: Database }> {
  const folder = await mkdtemp(path.join(tmpdir(), "older-release-"));
  await cp("db/migrations", folder, { recursive: true });
  const journal = path.join(folder, "meta/_journal.json");
  const { entries } = JSON.parse(await readFile(journal, "utf8"));
  await writeFile(journal, JSON.stringify({ entries: entries.slice(0, 3) }));
  const url = await testPostgresUrl();
  const database = openPostgres({ url, pools: { general: 4 }, deadline: 60_000 });
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  await database.script("drop schema public cascade; create schema public");
  await migrate(database, folder);
  await database.script(filled);
  return { url, database };
}

/** Columns, indexes, constraints and triggers, by name. */
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
  await migrate(database);
  await database.close();`;

function startMigration(url: string) {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", program],
    {
      env: { ...process.env, MIGRATED: url },
      stdio: "inherit",
    },
  );
  return { child, ended: once(child, "exit") };
}

/** Statements that changed the database, as far as it tells. */
async function progress({ query }: Database): Promise<string> {
  return JSON.stringify(
    await query.execute(sql`
      select (select count(*)::int from schema_migrations) as migrations, (select count(*)::int from pg_class) as relations,
        (select count(*)::int from pg_index where not indisvalid) as unfinished`),
  );
}

test("a migration that is killed again and again ends with the schema and the rows of one that was left alone", {
  timeout: 600_000,
}, async () => {
  const { url, database } = await olderRelease();
  let kills = 0;
  for (let steps = 1; ; steps += 1 + kills) {
    const before = await progress(database);
    const { child, ended } = startMigration(url);
    // Each process is killed when it has changed something more: all of them together try many points.
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
  expect(await migrate(database)).toEqual([]);

  const fresh = await emptyDatabase();
  await migrate(fresh);
  expect(await shapeOf(database)).toEqual(await shapeOf(fresh));
  expect(
    await database.query.execute(sql`
      select count(*)::int as grants, (select count(*)::int from grants g join consents c on c.id = g.consent_id
          where g.client_id = c.client_id) as right_client, (select count(*)::int from consent_periods) as periods,
        (select count(*)::int from stat_latest where cell = (level / 10) * 100
          + least(99, greatest(0, floor(3 * ln(greatest(score, 1) / 100))))::int4) as right_cell from grants`),
  ).toEqual([{ grants: rows, right_client: rows, periods: rows, right_cell: rows }]);
});

test("RE-21: a migration that waits for a lock lets the calls through that came after it, those of the release before too", async () => {
  const { url, database } = await olderRelease();
  const other = openPostgres({ url, pools: { general: 1 }, deadline: 60_000 });
  onTestFinished(() => other.close());
  let migrated = false;
  let migration: Promise<void> | undefined;
  // A report that reads for long: no table that it has read can be altered meanwhile.
  await other.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from grants`);
    migration = migrate(database).then(() => {
      migrated = true;
    });
    await expect
      .poll(() =>
        database.query.execute(
          sql`select from pg_locks where relation = 'grants'::regclass and not granted`,
        ),
      )
      .toHaveLength(1);
    // Each of these stands in the queue behind the statement that waits.
    for (let call = 0; call < calls; call++) {
      await database.query.execute(sql`
        insert into grants (id, consent_id, scopes, created_at, absolute_expiry)
        select gen_random_uuid(), id, '{identity}', now(), now() from consents limit 1`);
      await wait(100);
    }
    expect(migrated).toBe(false);
  });
  await migration;
  expect(migrated).toBe(true);
  const [counted] = await database.query
    .select({ calls: sql<number>`count(*)::int` })
    .from(sql`grants`)
    .where(sql`absolute_expiry < now() and client_id is not null`);
  expect(counted?.calls).toBe(calls);
});
