import { expect, test } from "vitest";
import { parseAddress } from "./address";
import { openPostgres } from "./client";

const places = (url: string) =>
  parseAddress(url).places.map(({ host, port, path }) => path ?? `${host} ${port}`);

test.each([
  ["postgres://u:p@db.example/app", ["db.example 5432"]],
  ["postgresql://u:p@db.example:6000/app", ["db.example 6000"]],
  ["postgres://u:p@[::1]:6000/app", ["::1 6000"]],
  ["postgres://u:p@one,two:6000,10.0.0.3/app", ["one 5432", "two 6000", "10.0.0.3 5432"]],
  ["postgres:///app", ["localhost 5432"]],
  ["postgres://u@/app?host=/var/run/postgresql", ["/var/run/postgresql/.s.PGSQL.5432"]],
  ["postgres://u@%2Fvar%2Frun%2Fpostgresql:6000/app", ["/var/run/postgresql/.s.PGSQL.6000"]],
  ["postgres://u@/app?host=one,two&port=1,2", ["one 1", "two 2"]],
  ["postgres://u@/app?host=one,two&port=6000", ["one 6000", "two 6000"]],
])("%s names its servers as libpq reads it", (url, expected) => {
  expect(places(url)).toEqual(expected);
});

test("names and passwords are decoded, and what is the server's or the driver's goes on", () => {
  expect(
    parseAddress(
      "postgres://us%40er:p%3Aa:ss@h/my%20db?application_name=a%20b&channel_binding=require&sslsni=1",
    ),
  ).toMatchObject({
    user: "us@er",
    password: "p:a:ss",
    database: "my db",
    parameters: { application_name: "a b" },
  });
  expect(parseAddress("postgres://h/?user=u&password=p&dbname=d")).toMatchObject({
    ...{ user: "u", password: "p", database: "d", parameters: {} },
  });
});

test.each([
  ["?target_session_attrs=any", {}],
  ["?target_session_attrs=read-write", { sessionAttributes: "read-write" }],
  ["?keepalives=1&keepalives_idle=30&keepalives_interval=10&keepalives_count=3", {}],
  ["?connect_timeout=10&sslnegotiation=postgres&client_encoding=auto&tcp_user_timeout=1000", {}],
  ["?pgbouncer=true", { pooled: true }],
  ["?pgbouncer=false", {}],
  ["?prepare=false", { pooled: true }],
  ["?statement_cache_size=0", { pooled: true }],
  ["?schema=my-own", { parameters: { search_path: '"my-own"' } }],
  ["?currentSchema=one,two", { parameters: { search_path: "one,two" } }],
  ["?ssl=true", { tls: "require" }],
  ["?ssl=true&sslmode=verify-full", { tls: { anyName: false } }],
  ["?options=-c%20search_path%3Done", { parameters: { options: "-c search_path=one" } }],
])("parameters of libpq and of other drivers are read: %s", (query, expected) => {
  expect(parseAddress(`postgres://u@h/d${query}`)).toMatchObject({
    ...{ sessionAttributes: undefined, pooled: false, parameters: {}, tls: false },
    ...expected,
  });
});

test.each([
  ["", false],
  ["?sslmode=disable", false],
  ["?sslmode=allow", "prefer"],
  ["?sslmode=prefer", "prefer"],
  ["?sslmode=require", "require"],
  ["?sslmode=verify-ca", { anyName: true }],
  ["?sslmode=verify-full", { anyName: false }],
  ["?sslmode=require&sslrootcert=system", { anyName: false }],
  [
    `?sslmode=require&sslrootcert=${import.meta.filename}`,
    { anyName: true, ca: expect.any(Buffer) },
  ],
])("encryption is asked for as in %j", (query, expected) => {
  expect(parseAddress(`postgres://u@h/d${query}`).tls).toEqual(expected);
});

test.each([
  ["mysql://h/d", /must look like/],
  ["postgres://u:50%@h/d", /written %25/],
  ["postgres://h:port/d", /port is no port/],
  ["postgres://h/d?sslmode=on", /sslmode may be disable/],
  ["postgres://h/d?target_session_attrs=some", /target_session_attrs may be any, read-write/],
  ["postgres://h/d?connection_limit=5", /connection_limit is another driver's: set DATABASE_POOL/],
  ["postgres://h/d?pool_timeout=5", /pool_timeout is another driver's/],
  ["postgres://h/d?sslaccept=strict", /sslaccept is another driver's: use sslmode/],
  ["postgres://h/d?sslmode=require&sslcert=/c.crt", /sslcert and sslkey must be given together/],
  [
    "postgres://h/d?sslmode=require&sslcert=/none.crt&sslkey=/none.key",
    /sslcert cannot be read: ENOENT/,
  ],
  [
    `postgres://h/d?sslmode=require&sslcert=${import.meta.filename}&sslkey=${import.meta.filename}`,
    /sslcert and sslkey cannot be used together/,
  ],
  [
    "postgres://h/d?sslmode=verify-full&sslrootcert=/none.crt",
    /sslrootcert cannot be read: ENOENT/,
  ],
])("%s is refused with a sentence", (url, sentence) => {
  expect(() => parseAddress(url)).toThrow(/^DATABASE_URL is wrong: /);
  expect(() => parseAddress(url)).toThrow(sentence);
});

test("a wrong DATABASE_DIRECT_URL is named by its own name", () => {
  const setting = "DATABASE_DIRECT_URL";
  expect(() => parseAddress("postgres://h:port/d", setting)).toThrow(
    `${setting} is wrong: port is no port.`,
  );
  const directUrl = "postgres://h/d?sslmode=on";
  expect(() => openPostgres({ url: "postgres://h/d", directUrl })).toThrow(
    new RegExp(`^${setting} is wrong: sslmode may be`),
  );
});

test("a parameter named as a method of every object is the server's to judge", () => {
  expect(parseAddress("postgres://u@h/d?toString=1").parameters).toEqual({ toString: "1" });
});
