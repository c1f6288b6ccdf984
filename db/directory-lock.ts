import { createHash } from "node:crypto";
import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { startFault } from "#server/platform/start-fault";

/**
 * Holds `directory` for this process by listening on a unix socket; the kernel frees it however the process ends.
 * On Linux the socket is abstract (no file, nothing stale to clean up); elsewhere it is a file in the temporary folder,
 * because a socket's path may have 107 characters at most. Processes in separate network namespaces do not see it.
 * @returns a function that lets go of it
 * @throws DirectoryInUse naming the process that holds it
 */
export async function holdDirectory(directory: string): Promise<() => Promise<void>> {
  const real = await realpath(directory);
  const name = createHash("sha256").update(real).digest("hex").slice(0, 24);
  const address = process.platform === "linux" ? `\0adjutant-${name}` : path.join(tmpdir(), `adjutant-${name}.sock`);
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
    // A directory that became read-only keeps its file: the lock is the socket alone.
    await rm(pidFile, { force: true }).catch(() => {});
    await letGo();
  };
}

async function claim(address: string, refusal: () => Promise<Error>): Promise<Server> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const server = await listen(address);
    if (server) return server;
    if (await answers(address)) throw await refusal();
    // Nobody answers: the socket's file was left behind by a process that was killed.
    await rm(address, { force: true });
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
