import { createHash } from "node:crypto";
import { readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { startFault } from "#server/platform/start-fault";

/**
 * The lock is a Unix socket, which the kernel frees at exit. It is abstract on Linux, else in the
 * temporary folder, as its path has at most 107 characters.
 * @returns a function that releases the lock
 * @throws DirectoryInUse
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const real = await realpath(directory);
  const name = createHash("sha256").update(real).digest("hex").slice(0, 24);
  const address =
    process.platform === "linux"
      ? `\0adjutant-${name}`
      : path.join(tmpdir(), `adjutant-${name}.sock`);
  const pidFile = path.join(real, "pid");
  const server = await claim(address, async () => {
    const pid = (await readFile(pidFile, "utf8").catch(() => "unknown")).trim();
    return startFault(
      "DirectoryInUse",
      `${real} is in use by process ${pid}. Stop it, or set DATA_DIR to another directory.`,
    );
  });
  const letGo = () => new Promise<void>((resolve) => server.close(() => resolve()));
  await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 }).catch(async (error: unknown) => {
    await letGo();
    throw error;
  });
  return async () => {
    // The socket is the lock, not this file.
    await rm(pidFile, { force: true }).catch(() => {});
    await letGo();
  };
}

async function claim(address: string, refusal: () => Promise<Error>): Promise<Server> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const server = await listen(address);
    if (server) return server;
    if (await answers(address)) throw await refusal();
    // A killed process leaves the socket's file, which does not answer.
    if (!address.startsWith("\0")) await rm(address, { force: true });
  }
  throw await refusal();
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end());
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => {
      // The lock alone must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

interface DiskFault {
  readonly codes: readonly string[];
  readonly number: number;
  readonly text: RegExp;
  readonly says: string;
}

const diskFaults: readonly DiskFault[] = [
  {
    codes: ["ENOSPC"],
    number: 51,
    text: /No space left on device/,
    says: "its disk is full. Make room on it",
  },
  {
    codes: ["EDQUOT"],
    number: 19,
    text: /Disk quota exceeded/,
    says: "its disk quota is spent. Make room in it",
  },
  {
    codes: ["EROFS"],
    number: 69,
    text: /Read-only file system/,
    says: "its file system is read-only. Make it writable",
  },
  {
    codes: ["EACCES", "EPERM"],
    number: 2,
    text: /Permission denied/,
    says: "this user may not write there. Give it to the user that runs Adjutant",
  },
  {
    codes: ["EEXIST", "ENOTDIR"],
    number: 54,
    text: /Not a directory/,
    says: "it is, or lies below, a file. Name a directory",
  },
  {
    codes: ["ENOENT"],
    number: 44,
    text: /^$/,
    says: "it cannot be created. Create it, or name another one",
  },
  {
    codes: ["EIO"],
    number: 29,
    text: /Input\/output error/,
    says: "its disk reports errors. Replace the disk",
  },
];

function diskFaultIn(error: unknown): DiskFault | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("severity" in error && "message" in error)
    return diskFaults.find(({ text }) => text.test(String(error.message)));
  if ("name" in error && error.name === "ErrnoError" && "errno" in error)
    return diskFaults.find(({ number }) => number === error.errno);
  // ENOENT of another call may mean a missing file of a package.
  if (
    "code" in error &&
    error.code === "ENOENT" &&
    (!("syscall" in error) || error.syscall !== "mkdir")
  )
    return undefined;
  return "code" in error
    ? diskFaults.find(({ codes }) => codes.includes(String(error.code)))
    : undefined;
}

export const isDiskFault = (error: unknown): boolean => diskFaultIn(error) !== undefined;

export const explainDiskFault = (dataDir: string, error: unknown): string =>
  `DATA_DIR ${dataDir} cannot be written: ${diskFaultIn(error)?.says ?? "the embedded database stopped"} and start Adjutant again; nothing that was acknowledged is lost.`;

/** Omits the cause, so that a missing file does not look like a missing database. */
export const dataDirError = (dataDir: string, error: unknown): Error =>
  startFault(
    "DataDirUnusable",
    `DATA_DIR is wrong: ${dataDir} cannot be used, because ${diskFaultIn(error)?.says ?? "it cannot be written"}, or set DATA_DIR to another directory.`,
  );

export const hasPglite = async (dataDir: string): Promise<boolean> =>
  (await stat(path.join(dataDir, "pglite")).catch(() => undefined)) !== undefined;
