import { spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port";

/** As README says: startup parameters that PgBouncer does not know. */
export const ignoredParameters =
  "extra_float_digits, statement_timeout, idle_in_transaction_session_timeout, enable_seqscan, enable_bitmapscan, enable_hashjoin, enable_mergejoin, join_collapse_limit";

const program = "/usr/sbin/pgbouncer";
/** PgBouncer refuses to run as root. */
const nobody = 65_534;
const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

export interface PgBouncer {
  readonly pid: number;
  readonly url: string;
  redirect(url: string): Promise<void>;
  stop(): Promise<void>;
}

/** In transaction mode. @returns undefined if it is not installed */
export async function startPgBouncer(url: string): Promise<PgBouncer | undefined> {
  const behind = new URL(url);
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-pgbouncer-"));
  const port = await freePort();
  const [users, settings] = [path.join(folder, "users.txt"), path.join(folder, "pgbouncer.ini")];
  await writeFile(users, `"${behind.username}" "${behind.password}"\n`);
  const write = ({ hostname, port: portBehind }: URL) =>
    writeFile(
      settings,
      [
        "[databases]",
        `* = host=${hostname} port=${portBehind}`,
        "[pgbouncer]",
        ...[
          "listen_addr = 127.0.0.1",
          `listen_port = ${port}`,
          "unix_socket_dir =",
          "pool_mode = transaction",
        ],
        ...["max_client_conn = 500", "default_pool_size = 40", "server_login_retry = 1"],
        ...[
          "auth_type = plain",
          `auth_file = ${users}`,
          `ignore_startup_parameters = ${ignoredParameters}`,
          "",
        ],
      ].join("\n"),
    );
  await write(behind);
  if (asUser.uid)
    for (const file of [folder, users, settings]) chownSync(file, asUser.uid, asUser.uid);
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
  const own = new URL(behind);
  own.port = String(port);
  return {
    pid: server.pid ?? 0,
    url: own.href,
    redirect: async (to) => {
      await write(new URL(to));
      server.kill("SIGHUP");
    },
    stop,
  };
}
