import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { describeStartFault } from "#server/platform/start-fault";
import { testPostgresUrl } from "#server/testing/database";
import { livedTime } from "#server/testing/lived-time";
import { openPostgres } from "./client";
import { migrate } from "./migrate";

async function emptyDatabase(): Promise<string> {
  const url = await testPostgresUrl();
  const database = openPostgres({ url, pools: { general: 1 } });
  await database.script("drop schema public cascade; create schema public");
  await database.close();
  return url;
}

/** The migrations of a release that had only the first so many. */
async function olderRelease(migrations: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "older-release-"));
  await cp("db/migrations", folder, { recursive: true });
  const journal = path.join(folder, "meta/_journal.json");
  const { entries } = JSON.parse(await readFile(journal, "utf8"));
  await writeFile(journal, JSON.stringify({ entries: entries.slice(0, migrations) }));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.each([2, 5])(
  "RE-20: %i instances that start at once on an empty database record each migration once",
  async (count) => {
    const url = await emptyDatabase();
    const instances = Array.from({ length: count }, () =>
      openPostgres({ url, pools: { general: 2 } }),
    );
    const applied = await Promise.all(instances.map((instance) => migrate(instance)));
    expect(applied.filter((tags) => tags.length > 0)).toHaveLength(1);
    const [first] = instances;
    const rows = await first?.query.execute(
      sql`select tag, count(*)::int as times from schema_migrations group by tag order by tag`,
    );
    expect(rows).toEqual(applied.flat().map((tag) => ({ tag, times: 1 })));
    expect(await Promise.all(instances.map((instance) => migrate(instance)))).toEqual(
      instances.map(() => []),
    );
    await Promise.all(instances.map((instance) => instance.close()));
  },
);

test.each([2, 5])(
  "RE-20: %i instances that start at once on a database of an older release bring it up once, and keep what it holds",
  async (count) => {
    const url = await emptyDatabase();
    const instances = Array.from({ length: count }, () =>
      openPostgres({ url, pools: { general: 2 } }),
    );
    const [first] = instances;
    if (!first) throw new Error("There are instances.");
    const older = await migrate(first, await olderRelease(2));
    await first.script("insert into players (id, name) values (7, 'Kept')");
    const applied = await Promise.all(instances.map((instance) => migrate(instance)));
    const brought = applied.filter((tags) => tags.length > 0);
    expect(brought).toHaveLength(1);
    expect(older).toHaveLength(2);
    const rows = await first.query.execute(
      sql`select tag, count(*)::int as times from schema_migrations group by tag order by tag`,
    );
    expect(rows).toEqual([...older, ...brought.flat()].map((tag) => ({ tag, times: 1 })));
    expect(await first.query.execute(sql`select name from players`)).toMatchObject([
      { name: "Kept" },
    ]);
    await Promise.all(instances.map((instance) => instance.close()));
  },
);

/** How many migrations come before this one. */
async function before(tag: string): Promise<number> {
  const { entries } = JSON.parse(await readFile("db/migrations/meta/_journal.json", "utf8"));
  return entries.findIndex((entry: { tag: string }) => entry.tag === tag);
}

const logged = 100_000;
const fillLogs = `
  insert into request_log (at, request_id, method, route, status, micros)
    select now() - n * interval '20 seconds', 'r' || n, 'GET', '/user', 200, 5 from generate_series(1, ${logged}) n;
  insert into audit_log (at, act, actor, details)
    select now() - n * interval '60 seconds', 'sign-in', 'anonymous', '{}' from generate_series(1, ${logged}) n`;
/** What a lock is waited for, and time for the work of a busy machine. Milliseconds. */
const longestCall = 300 + 1_500;

test("RE-21: while the logs become partitions the release before goes on writing and reading, and nothing is lost", async () => {
  const url = await emptyDatabase();
  const [database, former] = [
    openPostgres({ url, pools: { general: 2 } }),
    openPostgres({ url, pools: { general: 4 }, deadline: 60_000 }),
  ];
  onTestFinished(async () => {
    await Promise.all([database.close(), former.close()]);
  });
  await migrate(database, await olderRelease(await before("0016_log-partitions-prepared")));
  await former.script(fillLogs);
  let over = false;
  let [written, longest] = [0, 0];
  const timed = async (work: Promise<unknown>) => {
    const begun = livedTime();
    await work;
    longest = Math.max(longest, begun());
  };
  const write = async () => {
    while (!over) {
      await timed(
        former.query.execute(sql`
          with line as (insert into request_log (at, request_id, method, route, status, micros) values (now(), 'new', 'GET', '/user', 200, 5))
          insert into audit_log (at, act, actor, details) values (now(), 'sign-out', 'anonymous', '{}')`),
      );
      written += 1;
    }
  };
  const read = async () => {
    while (!over)
      await timed(former.query.execute(sql`select id from audit_log order by id desc limit 50`));
  };
  const busy = Promise.all([write(), write(), read()]);
  expect(await migrate(database)).toContain("0017_log-partitions");
  const during = written;
  await expect.poll(() => written).toBeGreaterThan(during + 5);
  over = true;
  await busy;
  expect(during).toBeGreaterThan(5);
  expect(longest).toBeLessThan(longestCall);
  const [counted] = await database.query
    .select({
      lines: sql`(select count(*) from request_log)`.mapWith(Number),
      acts: sql`(select count(*) from audit_log)`.mapWith(Number),
      ids: sql`(select count(distinct id) from audit_log)`.mapWith(Number),
      kind: sql<string>`(select relkind::text from pg_class where oid = 'request_log'::regclass)`,
      strays:
        sql`(select count(*) from request_log_default) + (select count(*) from audit_log_default)`.mapWith(
          Number,
        ),
    })
    .from(sql`(select) as one`);
  expect(counted).toEqual({
    ...{ lines: logged + written, acts: logged + written, ids: logged + written },
    ...{ kind: "p", strays: 0 },
  });
});

test("a faction whose leader chose who sees its scores keeps the choice, and where nobody did they are the faction's alone", async () => {
  const database = openPostgres({ url: await emptyDatabase(), pools: { general: 2 } });
  onTestFinished(() => database.close());
  await migrate(database, await olderRelease(await before("0018_stat-sharing-chosen")));
  await database.script(`
    insert into factions (id, name, stat_sharing) values (1, 'Never', 'everybody'), (2, 'Again', 'everybody'), (3, 'Own', 'faction'), (4, 'None', 'off');
    insert into audit_log (at, act, actor, details) values (now(), 'stat-sharing-changed', 'account:x', '{"faction": 2}'), (now(), 'other', 'account:x', '{"faction": 1}')`);
  await migrate(database);
  await database.script("insert into factions (id, name) values (5, 'New')");
  const stored = sql`select id, stat_sharing, stat_sharing_chosen is not null as chosen from factions order by id`;
  expect(await database.query.execute(stored)).toMatchObject([
    { id: 1, stat_sharing: "faction", chosen: false },
    { id: 2, stat_sharing: "everybody", chosen: true },
    { id: 3, stat_sharing: "faction", chosen: true },
    { id: 4, stat_sharing: "off", chosen: true },
    { id: 5, stat_sharing: "faction", chosen: false },
  ]);
});

test("the table of before is attached without being read: what was checked is known", async () => {
  const url = await emptyDatabase();
  const database = openPostgres({ url, pools: { general: 1 }, deadline: 60_000 });
  onTestFinished(() => database.close());
  // The process that checked was killed, and another one goes on.
  await migrate(database, await olderRelease(await before("0017_log-partitions")));
  await database.script(fillLogs);
  const [reads] = await database.query
    .select({ before: sql`seq_scan`.mapWith(Number) })
    .from(sql`pg_stat_user_tables`)
    .where(sql`relname = 'request_log'`);
  expect((await migrate(database))[0]).toBe("0017_log-partitions");
  const [after] = await database.query
    .select({ reads: sql`seq_scan`.mapWith(Number) })
    .from(sql`pg_stat_user_tables`)
    .where(sql`relname = 'request_log_before'`);
  expect(after?.reads).toBe(reads?.before);
});

test("RE-23: a database of a newer release is refused with a sentence", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), pools: { general: 2 } });
  await database.script("insert into schema_migrations (tag, digest) values ('9999_later', 'x')");
  await expect(migrate(database)).rejects.toMatchObject({ name: "DatabaseIsNewer" });
  await expect(migrate(database)).rejects.toThrow(/9999_later/);
  await database.close();
});

test("what would go past the pooler to another database is refused before anything is changed there", async () => {
  const [url, directUrl] = [await emptyDatabase(), await emptyDatabase()];
  const database = openPostgres({ url, directUrl, pools: { general: 1 } });
  await expect(migrate(database)).rejects.toThrow(
    /^DATABASE_DIRECT_URL is wrong: it leads to another database/,
  );
  await database.close();
  const other = openPostgres({ url: directUrl, pools: { general: 1 } });
  expect(await other.query.execute(sql`select to_regclass('schema_migrations') as found`)).toEqual([
    { found: null },
  ]);
  await other.close();
});

test("a database that is not there is named by its setting, the usual one and the one past a pooler", async () => {
  const url = await emptyDatabase();
  const missing = new URL(url);
  missing.pathname = "/nobody_made_this";
  const sentences = [];
  for (const addresses of [{ url: missing.href }, { url, directUrl: missing.href }]) {
    const database = openPostgres({ ...addresses, pools: { general: 1 } });
    const error = await migrate(database).catch((thrown: unknown) => thrown);
    sentences.push(describeStartFault(error));
    await database.close();
  }
  expect(sentences).toEqual(
    ["DATABASE_URL", "DATABASE_DIRECT_URL"].map(
      (name) => `${name} is wrong: database "nobody_made_this" does not exist.`,
    ),
  );
});
