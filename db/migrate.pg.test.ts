import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testPostgresUrl } from "#server/testing/database";
import { openPostgres } from "./client";
import { DatabaseIsNewer, migrate } from "./migrate";

async function emptyDatabase(): Promise<string> {
  const url = await testPostgresUrl();
  const database = openPostgres({ url, poolSize: 1 });
  await database.script("drop schema public cascade; create schema public");
  await database.close();
  return url;
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

test("RE-23: a database of a newer release is refused with a sentence", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), poolSize: 2 });
  await database.script("insert into schema_migrations (tag, digest) values ('9999_later', 'x')");
  await expect(migrate(database)).rejects.toThrow(DatabaseIsNewer);
  await expect(migrate(database)).rejects.toThrow(/9999_later/);
  await database.close();
});
