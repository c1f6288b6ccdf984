import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { migrate } from "#db/migrate";
import { testDatabase } from "./database";

const database = await testDatabase();
const other = await testDatabase();

test("the database of a test file is migrated", async () => {
  expect(await migrate(database)).toEqual([]);
});

test("two databases share no rows", async () => {
  await database.script("create table only_here (id integer)");
  await expect(other.query.execute(sql`select * from only_here`)).rejects.toThrow();
});

test("the vitest project decides which store it is", () => {
  expect(database.kind).toBe(process.env.TEST_STORE);
});

test("the database tells its time", async () => {
  const off = (await database.serverTime()).getTime() - Date.now();
  expect(Math.abs(off)).toBeLessThan(5_000);
});

// Each query copies all parsers; with parsers for rows it takes twice the time.
test.runIf(process.env.TEST_STORE === "pglite")(
  "PGlite parses arrays of values, and none of a table's rows",
  async () => {
    const asked = sql`select array_agg(amname::text) as names, array_agg(pg_am) as methods from pg_am where amname = 'btree'`;
    const { rows } = (await database.query.execute(asked)) as unknown as {
      rows: Record<string, unknown>[];
    };
    expect(rows).toEqual([{ names: ["btree"], methods: expect.stringContaining("btree") }]);
  },
);

// The embedded database answers without a turn of the event loop, so a job once delayed every call
// for seconds.
test("whoever sends one statement after the other lets others in between", async () => {
  const longest = 100;
  const start = performance.now();
  let letIn = Number.POSITIVE_INFINITY;
  setTimeout(() => {
    letIn = performance.now() - start;
  });
  while (performance.now() - start < longest) await database.query.execute(sql`select 1`);
  expect(letIn).toBeLessThan(longest);
});
