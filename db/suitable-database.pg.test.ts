import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, expect, inject, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { describeStartFault } from "#server/platform/start-fault";
import { startPgBouncer } from "#server/testing/pgbouncer";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { type Database, openPostgres, type PostgresOptions } from "./client";
import { migrate } from "./migrate";

const adminUrl = inject("postgresAdmin");
const admin = openPostgres({ url: adminUrl });
const open: { close(): Promise<void> }[] = [admin];
afterAll(async () => {
  for (const each of open) await each.close();
});

function openAt(options: PostgresOptions): Database {
  const database = openPostgres({ deadline: 10_000, ...options });
  open.push(database);
  return database;
}

interface Place {
  readonly name: string;
  readonly url: string;
}

/** A database, and a role of the same name with the rights that `grants` gives. */
async function place(grants: (name: string) => readonly string[], options = ""): Promise<Place> {
  const name = `odd_${randomUUID().replaceAll("-", "")}`;
  await admin.script(`create role ${name} login password '${name}'`);
  await admin.script(`create database ${name} ${options}`);
  for (const grant of grants(name)) await admin.script(grant);
  const url = new URL(adminUrl);
  Object.assign(url, { username: name, password: name, pathname: `/${name}` });
  return { name, url: url.href };
}

const owned = (name: string) => [`alter database ${name} owner to ${name}`];
const refusal = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(() => "nothing was refused", describeStartFault);

const oddities: [string, (name: string) => string[]][] = [
  ["a role with German dates", (name) => [`alter role ${name} set datestyle = 'German'`]],
  [
    "a database with SQL dates, the day first",
    (name) => [`alter database ${name} set datestyle = 'SQL, DMY'`],
  ],
  [
    "a role with another zone and encoding, and standard strings off",
    (name) => [
      `alter role ${name} set timezone = 'Australia/Adelaide'`,
      `alter role ${name} set client_encoding = 'LATIN1'`,
      `alter role ${name} set standard_conforming_strings = off`,
    ],
  ],
];
const others: [string, (name: string) => string[]] = [
  "a role with rounded numbers, other intervals, escaped bytes and serializable transactions",
  (name) => [
    `alter role ${name} set extra_float_digits = 0`,
    `alter role ${name} set intervalstyle = 'iso_8601'`,
    `alter role ${name} set bytea_output = 'escape'`,
    `alter role ${name} set default_transaction_isolation = 'serializable'`,
  ],
];

const instant = new Date("2026-03-09T21:05:06.789Z");
/** An instant, a number and a text through each pool. */
async function roundTrips(database: Database): Promise<unknown[]> {
  const { query, keyPool, tokenPool, background } = database;
  const seen = [];
  for (const on of [query, keyPool, tokenPool.query, background.query]) {
    const [row] = await on
      .select({
        at: sql`${instant.toISOString()}::timestamptz`.mapWith(accounts.createdAt),
        third: sql<number>`1::float8 / 3`,
        text: sql<string>`'a\\b 🐎'`,
        isolation: sql<string>`current_setting('transaction_isolation')`,
      })
      .from(sql`(select) as one`);
    seen.push(row);
  }
  return seen;
}
const right = Array(4).fill({
  ...{ at: instant, third: 1 / 3, text: "a\\b 🐎", isolation: "read committed" },
});

test.each([...oddities, others])("%s: values arrive as they left", async (_what, grants) => {
  const { url } = await place((name) => [...owned(name), ...grants(name)]);
  expect(await roundTrips(openAt({ url }))).toEqual(right);
});

test.each(oddities)("behind PgBouncer, %s: values arrive as they left", async (_what, grants) => {
  const { url } = await place((name) => [...owned(name), ...grants(name)]);
  const pooler = await startPgBouncer(url);
  if (!pooler) return;
  open.push({ close: pooler.stop });
  expect(await roundTrips(openAt({ url: pooler.url, directUrl: url }))).toEqual(right);
});

test("where PgBouncer keeps a format from PostgreSQL that the role sets otherwise, the start says which", async () => {
  const { url, name } = await place((role) => [
    ...owned(role),
    `alter role ${role} set bytea_output = 'escape'`,
  ]);
  const pooler = await startPgBouncer(url);
  if (!pooler) return;
  open.push({ close: pooler.stop });
  const sentence = await refusal(migrate(openAt({ url: pooler.url, directUrl: url })));
  expect(sentence).toContain("sets bytea_output to escape");
  await admin.script(`alter role ${name} reset bytea_output`);
});

test("a pooler whose address is not said to be one gets only parameters that it knows", async () => {
  const { url } = await place(owned);
  const pooler = await startPgBouncer(url);
  if (!pooler) return;
  open.push({ close: pooler.stop });
  const database = openAt({ url: pooler.url });
  await database.query.execute(sql`select 1`).catch(() => {});
  expect(await roundTrips(database)).toEqual(right);
  const wrong = openAt({ url: `${pooler.url}?nonsense=1`, directUrl: url });
  expect(await refusal(Promise.resolve(wrong.query.execute(sql`select 1`)))).toBe(
    "DATABASE_URL is wrong: unsupported startup parameter: nonsense.",
  );
});

test.each(["LATIN1", "SQL_ASCII"])(
  "a database with the encoding %s is refused at the start",
  async (encoding) => {
    const { url } = await place(
      owned,
      `encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    );
    expect(await refusal(migrate(openAt({ url })))).toContain(`has the encoding ${encoding}`);
  },
);

test("a role that may not create tables is refused with the grant that it lacks", async () => {
  const { url, name } = await place((role) => [`grant all on database ${role} to ${role}`]);
  const sentence = `DATABASE_URL is wrong: ${name} may not create tables in the schema public of the database ${name}. Run there: grant create on schema public to ${name}`;
  expect(await refusal(migrate(openAt({ url })))).toBe(sentence);
  const inside = new URL(adminUrl);
  inside.pathname = `/${name}`;
  await openAt({ url: inside.href }).script(`grant create on schema public to ${name}`);
  expect((await migrate(openAt({ url }))).length).toBeGreaterThan(0);
});

test("a role that may not even connect is refused in one sentence", async () => {
  const { url, name } = await place((role) => [`revoke connect on database ${role} from public`]);
  expect(await refusal(migrate(openAt({ url })))).toBe(
    `DATABASE_URL is wrong: permission denied for database "${name}".`,
  );
});

test.each([
  ["the role's search_path", (name: string) => [`alter role ${name} set search_path = own`], ""],
  ["the address, as this driver says it", () => [], "?search_path=own"],
  ["the address, as another driver says it", () => [], "?schema=own&pgbouncer=true"],
])("a schema of one's own is used, named by %s", async (_what, grants, query) => {
  const { url, name } = await place((role) => [...owned(role), ...grants(role)]);
  const missing = openAt({ url: url + query });
  expect(await refusal(migrate(missing))).toContain("Run there: create schema … authorization");
  await openAt({ url }).script("create schema own");
  const database = openAt({ url: url + query });
  await migrate(database);
  const { ctx } = await testContext({ database });
  await mintUser(ctx);
  const [found] = (await openAt({ url }).query.execute(
    sql`select count(*) filter (where schemaname = 'own')::int as own, count(*) filter (where schemaname = 'public')::int as public from pg_tables`,
  )) as unknown as { own: number; public: number }[];
  expect(found).toMatchObject({ own: expect.any(Number), public: 0 });
  expect(found?.own).toBeGreaterThan(50);
  expect(name).toBeTruthy();
});
