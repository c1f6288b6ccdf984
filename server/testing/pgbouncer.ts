import { spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port";

/** What README asks for: these are told at the start of a connection, and PgBouncer knows none of them. */
export const ignoredParameters =
  "extra_float_digits, statement_timeout, idle_in_transaction_session_timeout, enable_seqscan, enable_bitmapscan, enable_hashjoin, enable_mergejoin, join_collapse_limit";

const program = "/usr/sbin/pgbouncer";
/** The user that it runs as where the caller is root, which it refuses to be. */
const nobody = 65_534;
const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/**
 * Starts PgBouncer in transaction mode before a PostgreSQL.
 * @returns the address of the same database through it; undefined where this machine has none
 */
export async function startPgBouncer(url: string): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const behind = new URL(url);
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-pgbouncer-"));
  const port = await freePort();
  const [users, settings] = [path.join(folder, "users.txt"), path.join(folder, "pgbouncer.ini")];
  await writeFile(users, `"${behind.username}" "${behind.password}"\n`);
  await writeFile(
    settings,
    [
      "[databases]",
      `* = host=${behind.hostname} port=${behind.port}`,
      "[pgbouncer]",
      ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "pool_mode = transaction"],
      ...["auth_type = plain", `auth_file = ${users}`, `ignore_startup_parameters = ${ignoredParameters}`, ""],
    ].join("\n"),
  );
  if (asUser.uid) for (const file of [folder, users, settings]) chownSync(file, asUser.uid, asUser.uid);
  const server = spawn(program, [settings], asUser);
  const isUp = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).once("exit", () => resolve(false));
    server.stderr.on("data", (text: Buffer) => text.includes("process up") && resolve(true));
  });
  const stop = async () => {
    if (server.exitCode === null && server.pid !== undefined) {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGQUIT");
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  };
  if (!isUp) {
    await stop();
    return undefined;
  }
  behind.port = String(port);
  return { url: behind.href, stop };
}
