import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** Below the ports that systems give to outgoing connections and to servers that name none. */
const lowest = 15_000;
const highest = 32_000;
/** Every suite of this machine notes here which ports it took. */
const reservations = path.join(tmpdir(), "adjutant-test-ports");

/**
 * A TCP port of the loopback address that is free, and that no other process that asks here is given while this
 * one lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (reserve(port) && (await isFree(port))) return port;
  }
}

const taken: string[] = [];
const giveBack = () => {
  for (const file of taken) rmSync(file, { force: true });
};

function reserve(port: number): boolean {
  mkdirSync(reservations, { recursive: true });
  const file = path.join(reservations, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    if (taken.push(file) === 1) process.once("exit", giveBack);
    return true;
  } catch {
    // Killed processes leave theirs behind.
    if (!isAlive(file)) rmSync(file, { force: true });
    return false;
  }
}

function isAlive(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch (error) {
    // A process of another user lives, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether a server can listen on it. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
