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
