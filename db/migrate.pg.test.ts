import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { testPostgresUrl } from "#server/testing/database";
import { openPostgres } from "./client";
import { migrate } from "./migrate";

async function emptyDatabase(): Promise<string> {
  const url = await testPostgresUrl();
  const database = openPostgres({ url, poolSize: 1 });
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
    const instances = Array.from({ length: count }, () => openPostgres({ url, poolSize: 2 }));
    const applied = await Promise.all(instances.map((instance) => migrate(instance)));
    expect(applied.filter((tags) => tags.length > 0)).toHaveLength(1);
    const [first] = instances;
    const rows = await first?.query.execute(
      sql`select tag, count(*)::int as times from schema_migrations group by tag order by tag`,
    );
    expect(rows).toEqual(applied.flat().map((tag) => ({ tag, times: 1 })));
    expect(await Promise.all(instances.map((instance) => migrate(instance)))).toEqual(instances.map(() => []));
    await Promise.all(instances.map((instance) => instance.close()));
  },
);

test.each([2, 5])(
  "RE-20: %i instances that start at once on a database of an older release bring it up once, and keep what it holds",
  async (count) => {
    const url = await emptyDatabase();
    const instances = Array.from({ length: count }, () => openPostgres({ url, poolSize: 2 }));
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
    expect(await first.query.execute(sql`select name from players`)).toMatchObject([{ name: "Kept" }]);
    await Promise.all(instances.map((instance) => instance.close()));
  },
);

test("RE-23: a database of a newer release is refused with a sentence", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), poolSize: 2 });
  await database.script("insert into schema_migrations (tag, digest) values ('9999_later', 'x')");
  await expect(migrate(database)).rejects.toMatchObject({ name: "DatabaseIsNewer" });
  await expect(migrate(database)).rejects.toThrow(/9999_later/);
  await database.close();
});
