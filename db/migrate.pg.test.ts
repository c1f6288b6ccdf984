import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeStartFault } from "#server/platform/start-fault";
import { testPostgresUrl } from "#server/testing/database";
import { nextRelease } from "#server/testing/next-release";
import { openPostgres } from "./client";
import { assertMigrated, migrate } from "./migrate";

async function emptyDatabase(): Promise<string> {
  const url = await testPostgresUrl();
  const database = openPostgres({ url, pools: { general: 1 } });
  await database.script("drop schema public cascade; create schema public");
  await database.close();
  return url;
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
    const older = await migrate(first);
    await first.script("insert into players (id, name) values (7, 'Kept')");
    const folder = await nextRelease();
    const applied = await Promise.all(instances.map((instance) => migrate(instance, folder)));
    const brought = applied.filter((tags) => tags.length > 0);
    expect(brought).toHaveLength(1);
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

test("RE-23: a database of a newer release is refused with a sentence", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), pools: { general: 2 } });
  await database.script("insert into schema_migrations (tag, digest) values ('9999_later', 'x')");
  await expect(migrate(database)).rejects.toMatchObject({ name: "DatabaseIsNewer" });
  await expect(migrate(database)).rejects.toThrow(/9999_later/);
  await database.close();
});

test("a database of another version of a migration is refused with a sentence", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), pools: { general: 2 } });
  await database.script("update schema_migrations set digest = 'x' where tag = '0000_baseline'");
  for (const start of [migrate, assertMigrated])
    await expect(start(database)).rejects.toMatchObject({
      name: "MigrationChanged",
      message: expect.stringContaining("another version of migration 0000_baseline"),
    });
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
