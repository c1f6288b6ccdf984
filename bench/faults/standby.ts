import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "#server/testing/free-port";
import { asUser, type RunningPostgres } from "#server/testing/postgres";

/** A streaming replica. */
export interface Standby {
  readonly pid: number;
  url(database: string): string;
  stop(): Promise<void>;
}

/** @param programs folder of PostgreSQL's programs, of the same installation */
export async function startStandby(primary: RunningPostgres, programs: string): Promise<Standby> {
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-standby-"));
  if (asUser.uid) await chown(folder, asUser.uid, asUser.gid);
  const data = path.join(folder, "data");
  const from = primary.url("postgres").replace(/\/postgres$/, "/");
  const copy = [
    "--pgdata",
    data,
    "--write-recovery-conf",
    "--wal-method=stream",
    "--checkpoint=fast",
    "--no-sync",
  ];
  await promisify(execFile)(path.join(programs, "pg_basebackup"), [...copy, "--dbname", from], {
    ...asUser,
    cwd: folder,
  });
  const port = await freePort();
  const flags = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "fsync=off",
  ];
  const server = spawn(
    path.join(programs, "postgres"),
    ["-D", data, "-p", String(port), ...flags.flatMap((setting) => ["-c", setting])],
    { ...asUser, cwd: folder },
  );
  let output = "";
  await new Promise<void>((resolve, reject) => {
    server
      .once("error", reject)
      .once("exit", () => reject(new Error(`The replica did not start:\n${output}`)));
    server.stderr.on("data", (text: Buffer) => {
      output += text.toString();
      if (output.includes("ready to accept read-only connections")) resolve();
    });
  });
  const { pid = 0 } = server;
  return {
    pid,
    url: (database) => {
      const url = new URL(primary.url(database));
      url.port = String(port);
      return url.href;
    },
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        const gone = once(server, "exit");
        server.kill("SIGCONT");
        server.kill("SIGQUIT");
        await gone;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
