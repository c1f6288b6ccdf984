import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** Above the usual server ports, below the ephemeral ones. */
const lowest = 15_000;
const highest = 32_000;
/** Shared by all test runs of this machine. */
const reservations = path.join(tmpdir(), "adjutant-test-ports");

/** An unused port, reserved while this process lives. */
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
    // Killed processes leave their files.
    if (!isAlive(file)) rmSync(file, { force: true });
    return false;
  }
}

function isAlive(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch (error) {
    // The process of another user is alive too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
