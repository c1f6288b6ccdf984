import { createPrivateKey, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, test } from "vitest";
import { errorCodesOf, isConnectionLost } from "#server/platform/errors";
import { makeAuthority } from "#server/testing/certificates";
import { freePort } from "#server/testing/free-port";
import { freezePostgres } from "#server/testing/freeze-postgres";
import { livedTime } from "#server/testing/lived-time";
import { startPostgres } from "#server/testing/postgres";
import { silentProxy } from "#server/testing/silent-proxy";
import { type Database, openPostgres } from "./client";

const authority = await makeAuthority();
const socketFolder = mkdtempSync(path.join(tmpdir(), "adjutant-socket-"));
const first = await startPostgres({
  tls: await authority.issue([{ type: "dns", value: "localhost" }]),
  clientAuthority: authority.file,
  socketFolder,
});
const second = await startPostgres({ password: first.password });
const closed = await freePort();
const deadline = 2_000;
const slack = 2_000;
/** Error codes of a call that a silent server left unanswered. */
const unanswered = ["DATABASE_SILENT", "CONNECTION_DESTROYED"];

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  for (const folder of [authority.folder, socketFolder]) rmSync(folder, { recursive: true });
});

function open(hosts: string, query = ""): Database {
  const url = `postgres://postgres:${first.password}@${hosts}/postgres${query}`;
  const database = openPostgres({ url, deadline, jobDeadline: deadline });
  ends.push(database.close);
  return database;
}
const at = ({ port }: { port: number }, host = "127.0.0.1") => `${host}:${port}`;

/** Port of the server (null for a Unix socket) and whether TLS was used; or the error's code. */
async function ask(database: Database): Promise<unknown> {
  const asked = sql`select inet_server_port() as port, ssl from pg_stat_ssl where pid = pg_backend_pid()`;
  try {
    const [row] = [
      ...((await database.query.execute(asked)) as unknown as {
        port: number | null;
        ssl: boolean;
      }[]),
    ];
    return [row?.port, row?.ssl];
  } catch (error) {
    return errorCodesOf(error)[0];
  }
}

test.each([
  ["localhost", "", false],
  ["localhost", "?sslmode=disable", false],
  ["localhost", "?sslmode=prefer", true],
  ["127.0.0.1", "?sslmode=require", true],
  ["localhost", "?sslmode=verify-full&sslrootcert=CA", true],
  ["127.0.0.1", "?sslmode=verify-ca&sslrootcert=CA", true],
  ["127.0.0.1", "?sslmode=require&sslrootcert=CA", true],
])("a server that speaks TLS is reached at %s%s", async (host, query, ssl) => {
  const database = open(at(first, host), query.replace("CA", authority.file));
  expect(await ask(database)).toEqual([first.port, ssl]);
  await database.transaction(async (tx) => tx.execute(sql`select 1`));
  await database.listen(
    "tidings",
    () => {},
    () => {},
  );
});

test("a certificate that nobody trusted has signed, or that is for another name, is refused at once", async () => {
  expect(await ask(open(at(first, "localhost"), "?sslmode=verify-full"))).toBe(
    "SELF_SIGNED_CERT_IN_CHAIN",
  );
  expect(await ask(open(at(first, "localhost"), "?sslmode=verify-ca"))).toBe(
    "SELF_SIGNED_CERT_IN_CHAIN",
  );
  expect(await ask(open(at(first), `?sslmode=verify-full&sslrootcert=${authority.file}`))).toBe(
    "ERR_TLS_CERT_ALTNAME_INVALID",
  );
});

async function clientFiles(by = authority, passphrase?: string): Promise<string> {
  const { key, certificate } = await by.issue([], "certified");
  const name = path.join(authority.folder, randomUUID());
  writeFileSync(`${name}.crt`, certificate);
  const sealed = passphrase && { cipher: "aes-256-cbc", passphrase };
  writeFileSync(
    `${name}.key`,
    sealed ? createPrivateKey(key).export({ type: "pkcs8", format: "pem", ...sealed }) : key,
  );
  return `sslcert=${name}.crt&sslkey=${name}.key${passphrase ? `&sslpassword=${passphrase}` : ""}`;
}

function openCertified(query: string): Database {
  const database = openPostgres({
    url: `postgres://certified@${at(first, "localhost")}/postgres?${query}`,
    deadline,
  });
  ends.push(database.close);
  return database;
}

test("a certificate of our own opens a server that asks for one, in every mode with TLS, and with a sealed key", async () => {
  await open(at(first)).script("create role certified login");
  for (const mode of [
    "require",
    `verify-ca&sslrootcert=${authority.file}`,
    `verify-full&sslrootcert=${authority.file}`,
  ])
    expect(await ask(openCertified(`sslmode=${mode}&${await clientFiles()}`)), mode).toEqual([
      first.port,
      true,
    ]);
  expect(
    await ask(openCertified(`sslmode=require&${await clientFiles(authority, "secret")}`)),
  ).toEqual([first.port, true]);
});

test("without a certificate, or with one of another authority, such a server refuses at once", async () => {
  expect(await ask(openCertified("sslmode=require"))).toBe("28000");
  const stranger = await makeAuthority();
  const began = livedTime();
  const refused = openCertified(`sslmode=require&${await clientFiles(stranger)}`);
  expect(await ask(refused)).toEqual(
    expect.stringMatching(/^(ERR_SSL_|ECONNRESET|CONNECTION_CLOSED|28000)/),
  );
  expect(began()).toBeLessThan(deadline);
  rmSync(stranger.folder, { recursive: true });
});

test("a server without TLS is reached where TLS is preferred, and not where it is required", async () => {
  expect(await ask(open(at(second), "?sslmode=prefer"))).toEqual([second.port, false]);
  expect(await ask(open(at(second), "?sslmode=require"))).toEqual(expect.any(String));
});

test("a Unix socket is reached by its folder, in the query or in place of the host", async () => {
  const { port } = first;
  expect(await ask(open("", `?host=${socketFolder}&port=${port}&sslmode=require`))).toEqual([
    null,
    false,
  ]);
  expect(await ask(open(`${encodeURIComponent(socketFolder)}:${port}`))).toEqual([null, false]);
  const missing = open("", `?host=${socketFolder}&port=1`);
  expect(await ask(missing)).toBe("ENOENT");
});

test("what a silent server leaves unanswered over TLS ends at the deadline, and calls succeed when it is back", async () => {
  const proxy = await silentProxy(first.url("postgres"));
  ends.push(proxy.close);
  const database = open(new URL(proxy.url).host, "?sslmode=require");
  expect(await ask(database)).toEqual([first.port, true]);
  proxy.silence();
  for (const _ of ["on an open connection", "on a new one, in the middle of the handshake"]) {
    const began = livedTime();
    expect(unanswered).toContain(await ask(database));
    expect(began()).toBeLessThan(deadline + slack);
  }
  proxy.heal();
  await expect.poll(() => ask(database), { timeout: deadline + slack }).toEqual([first.port, true]);
});

test("of several servers those that are closed are passed over; where all are, a call fails at once", async () => {
  const reached = open(`127.0.0.1:${closed},${at(second)}`);
  const calls = [reached.query, reached.keyPool, reached.tokenPool.query, reached.background.query];
  await Promise.all(calls.map((on) => on.execute(sql`select 1`)));
  expect(await ask(reached)).toEqual([second.port, false]);
  const none = open(`127.0.0.1:${closed},127.0.0.1:${closed},localhost:${closed}`);
  for (const _ of [1, 2]) {
    const began = livedTime();
    expect(await ask(none)).toBe("ECONNREFUSED");
    expect(began()).toBeLessThan(deadline / 2);
  }
});

test("of several servers the one that may be written is found, also from an open pool after they changed places", async () => {
  const readOnly = async ({ port }: { port: number }, value: "on" | "off") => {
    const admin = open(`127.0.0.1:${port}`);
    await admin.script(`alter system set default_transaction_read_only = ${value}`);
    await admin.script("select pg_reload_conf()");
    const applied = sql`select current_setting('default_transaction_read_only') as value`;
    // Only a new connection reads the current values; an open one may have cached the old ones.
    const settled = async () => {
      const fresh = open(`127.0.0.1:${port}`);
      const rows = [...((await fresh.query.execute(applied)) as unknown as unknown[])];
      await fresh.close();
      return rows;
    };
    await expect.poll(settled).toEqual([{ value }]);
    await admin.script(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
  };
  await readOnly(first, "on");
  const database = open(`${at(first)},${at(second)}`, "?target_session_attrs=read-write");
  expect(await ask(database)).toEqual([second.port, false]);
  await readOnly(first, "off");
  await readOnly(second, "on");
  await expect
    .poll(() => ask(database), { timeout: deadline + slack })
    .toEqual([first.port, false]);
  await readOnly(second, "off");
});

test("a server that falls silent is left for the next one", { timeout: 30_000 }, async () => {
  const database = open(`${at(first)},${at(second)}`);
  expect(await ask(database)).toEqual([first.port, false]);
  const goOn = freezePostgres(first);
  try {
    const began = livedTime();
    expect(unanswered).toContain(await ask(database));
    expect(await ask(database)).toEqual([second.port, false]);
    expect(began()).toBeLessThan(deadline + slack);
    // A new process has no history of the servers, and soon gives up on the first one.
    const fresh = open(`${at(first)},${at(second)}`);
    expect(await ask(fresh)).toEqual([second.port, false]);
  } finally {
    goOn();
  }
});

test("a call that no server could be reached for counts as a lost connection", async () => {
  const none = open(`127.0.0.1:${closed},127.0.0.1:${closed}`);
  const error = await none.query.execute(sql`select 1`).catch((thrown: unknown) => thrown);
  expect(isConnectionLost(error)).toBe(true);
});
