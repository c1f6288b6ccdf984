import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import {
  columnCasing,
  createStatementCache,
  createTransactionRunner,
  type Database,
  type Queryable,
  sendAfterCommit,
} from "./client";
import {
  dataDirError,
  explainDiskFault,
  hasPglite,
  isDiskFault,
  lockDirectory,
} from "./data-directory";
import { createHintSender } from "./hints";
import { createOutageLog } from "./outages";

/** With 16 MB, reopening takes under a second and about 170 MB. */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];
/** From this OID on: row types and their arrays, which PostgreSQL makes itself. */
const firstOwnType = 10_000;

/**
 * Locks the directory, because two processes would lose rows silently.
 * @param onDiskFault must end the process at once
 * @throws DirectoryInUse, DataDirUnusable
 */
export async function openPglite(
  dataDir: string,
  onDiskFault: (sentence: string) => void,
): Promise<Database> {
  let release = async () => {};
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    release = await lockDirectory(dataDir);
    await assertWritable(dataDir);
    const directory = path.join(dataDir, "pglite");
    if (await hasPglite(dataDir)) await assertWritable(directory);
    else await create(dataDir, directory);
    const pglite = new PGlite({ dataDir: directory, startParams });
    watchForDiskFaults(pglite, (fault) => onDiskFault(explainDiskFault(dataDir, fault)));
    await pglite.waitReady;
    forgetRowTypes(pglite);
    const database = wrapPglite(pglite);
    return {
      ...database,
      close: async () => {
        await database.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw isDiskFault(error) ? dataDirError(dataDir, error) : error;
  }
}

/** A failure changes nothing. @throws DirectoryInUse */
export async function restorePglite(
  dataDir: string,
  from: { readonly dump: Blob; readonly engineVersion: number },
): Promise<"restored" | "not-empty" | "other-version"> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const release = await lockDirectory(dataDir);
  try {
    if (await hasPglite(dataDir)) return "not-empty";
    if (from.engineVersion !== (await engineMajor())) return "other-version";
    await assertWritable(dataDir);
    await create(dataDir, path.join(dataDir, "pglite"), from.dump);
    return "restored";
  } catch (error) {
    throw isDiskFault(error) ? dataDirError(dataDir, error) : error;
  } finally {
    await release();
  }
}

async function engineMajor(): Promise<number> {
  const pglite = await PGlite.create({ startParams });
  const { rows } = await pglite.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  await pglite.close();
  return rows[0]?.major ?? 0;
}

export async function openPgliteInMemory(from?: Blob): Promise<Database> {
  const pglite = new PGlite({ startParams, ...(from ? { loadDataDir: from } : {}) });
  await pglite.waitReady;
  forgetRowTypes(pglite);
  return wrapPglite(pglite);
}

/** Drizzle copies all parsers for each query, and those of row types are never used. */
function forgetRowTypes({ parsers, serializers }: PGlite): void {
  for (const known of [parsers, serializers])
    for (const type of Object.keys(known)) if (Number(type) >= firstOwnType) delete known[type];
}

const unfinished = "pglite.unfinished";
/** Retries, because the child process of a killed start may live on for seconds. */
const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };

/** Builds under another name, so that a truncated database is not taken for complete. */
async function create(dataDir: string, directory: string, dump?: Blob): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(unfinished)) await rm(path.join(dataDir, name), removal);
  const under = path.join(dataDir, `${unfinished}-${randomUUID()}`);
  await mkdir(under, { mode: 0o700 });
  if (dump) await load(under, dump);
  else await createPglite(under, startParams);
  await rename(under, directory);
}

async function load(directory: string, dump: Blob): Promise<void> {
  const pglite = new PGlite({ dataDir: directory, startParams, loadDataDir: dump });
  await pglite.waitReady;
  await pglite.close();
}

const probeBytes = 65_536;

/** The database would hang, or report an unwritable directory as its own fault. */
async function assertWritable(directory: string): Promise<void> {
  const probe = path.join(directory, `.probe-${process.pid}`);
  try {
    const handle = await open(probe, "w", 0o600);
    try {
      await handle.writeFile(Buffer.alloc(probeBytes, 1));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

/** After a PANIC the next query would hang for ever. */
function watchForDiskFaults(pglite: PGlite, onFault: (error: unknown) => void): void {
  const watched =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await run(...args);
      } catch (error) {
        if (isPanic(error) || isDiskFault(error)) onFault(error);
        throw error;
      }
    };
  pglite.execProtocol = watched(pglite.execProtocol.bind(pglite));
  pglite.execProtocolStream = watched(pglite.execProtocolStream.bind(pglite));
  pglite.execProtocolRaw = watched(pglite.execProtocolRaw.bind(pglite));
}

/** Milliseconds before the event loop gets a turn. */
const longestTurn = 10;

/** PGlite answers within its caller's turn, so a job would block all requests for seconds. */
function takeTurns(pglite: PGlite): void {
  const execute = pglite.execProtocolRaw.bind(pglite);
  let begun = performance.now();
  pglite.execProtocolRaw = async (...sent) => {
    if (performance.now() - begun > longestTurn) {
      await nextTurn();
      begun = performance.now();
    }
    return execute(...sent);
  };
}

const isPanic = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "severity" in error && error.severity === "PANIC";

export function wrapPglite(pglite: PGlite): Database {
  takeTurns(pglite);
  const query = drizzlePglite(pglite, columnCasing) as unknown as Queryable;
  const access = { query, transaction: createTransactionRunner(query) };
  const statement = createStatementCache({ query, keyPool: query, tokenPool: access });
  const script = async (text: string) => {
    await pglite.exec(text);
  };
  const hints = createHintSender((channel, payload) =>
    pglite.query("select pg_notify($1, $2)", [channel, payload]),
  );
  return {
    kind: "pglite",
    ...access,
    keyPool: query,
    tokenPool: access,
    background: { ...access, statement },
    statement,
    outages: createOutageLog(),
    pools: () => ({}),
    script,
    serverTime: async () => new Date(),
    notify: (on, channel, payload) => sendAfterCommit(on, hints, { channel, payload }),
    hints,
    listen: async (channel, onMessage) => {
      await pglite.listen(channel, onMessage);
    },
    exclusively: (_lock, work) => work({ ...access, script }),
    dump: () => pglite.dumpDataDir("gzip"),
    close: () => pglite.close(),
  };
}

/**
 * Uses `import`, because a required module finds its files by a URL, which a # or ? in the path
 * cuts off.
 */
export const pgliteInitProgram = `
const [dataDir, startParams] = JSON.parse(process.argv[1]);
process.once("disconnect", () => process.exit(1));
const answer = (fault) => process.send(fault, () => process.exit(0));
(async () => {
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = new PGlite({ dataDir, startParams });
  await pglite.waitReady;
  await pglite.close();
})().then(
  () => answer(null),
  ({ name, message, code, errno, severity, syscall }) => answer({ name, message, code, errno, severity, syscall }),
);
`;

/**
 * Runs in a child process, because this process would keep the 180 MB that a creation takes.
 * @throws the error of the database or its disk
 */
async function createPglite(directory: string, startParams: readonly string[]): Promise<void> {
  const child = spawn(
    process.execPath,
    ["--eval", pgliteInitProgram, JSON.stringify([directory, startParams])],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(
      `The process that makes the embedded database ended early (${signal ?? code}).`,
    );
  });
  const [fault] = await Promise.race([once(child, "message"), ended]);
  await ended.catch(() => {});
  if (fault !== null) throw Object.assign(new Error(), fault);
}
