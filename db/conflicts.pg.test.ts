import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { isConnectionLost } from "#server/platform/errors";
import { testDatabase } from "#server/testing/database";
import type { Queryable } from "./client";

const database = await testDatabase();
await database.script(
  "create table tallies (id integer primary key, count integer); insert into tallies values (1, 0), (2, 0)",
);

const add = (tx: Queryable, id: number) =>
  tx.execute(sql`update tallies set count = count + 1 where id = ${id}`);
const counts = async () =>
  [
    ...((await database.query.execute(sql`select count from tallies order by id`)) as unknown as {
      count: number;
    }[]),
  ].map(({ count }) => count);

test("a transaction that PostgreSQL ends because of a deadlock is carried out all the same, once", async () => {
  for (let round = 1; round <= 5; round++) {
    let arrived = 0;
    const { promise: bothArrived, resolve: meet } = Promise.withResolvers<void>();
    const crossing = (own: number, other: number) =>
      database.transaction(async (tx) => {
        await add(tx, own);
        if (++arrived === 2) meet();
        await bothArrived;
        await add(tx, other);
      });
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    expect(await counts()).toEqual([2 * round, 2 * round]);
  }
});

test.each(["40001", "40P01"])(
  "one that fails twice with %s is told as an outage that passes",
  async (code) => {
    let tries = 0;
    const thrown = await database
      .transaction(async (tx) => {
        tries += 1;
        await tx.execute(
          sql.raw(`do $$ begin raise exception 'made up' using errcode = '${code}'; end $$`),
        );
      })
      .catch((error: unknown) => error);
    expect(tries).toBe(2);
    expect(isConnectionLost(thrown)).toBe(true);
  },
);

test.each([
  ["", database.query],
  [" of a job", database.background.query],
] as const)(
  "a statement%s outside of any transaction is carried out once more, and once alone",
  async (_whose, on) => {
    await database.script(`
    create sequence if not exists tries;
    create or replace function refused(times integer) returns integer language plpgsql as $$
    begin
      if nextval('tries') <= times then raise exception 'made up' using errcode = '40P01'; end if;
      return 1;
    end $$;
    alter sequence tries restart`);
    const tries = async () => (await on.execute(sql`select last_value::int from tries`)) as unknown;
    const refused = (times: number) => on.execute(sql`select refused(${times}::int) as done`);
    expect(await refused(1)).toEqual([{ done: 1 }]);
    expect(await tries()).toEqual([{ last_value: 2 }]);
    await database.script("alter sequence tries restart");
    const thrown = await refused(5).catch((error: unknown) => error);
    expect(isConnectionLost(thrown)).toBe(true);
    expect(await tries()).toEqual([{ last_value: 2 }]);
  },
);
