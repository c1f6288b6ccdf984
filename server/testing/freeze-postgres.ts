import { execFileSync } from "node:child_process";
import type { RunningPostgres } from "./postgres";

/** The server's own process and one for each connection and task. */
const processesOf = ({ pid }: RunningPostgres): number[] =>
  execFileSync("ps", ["-o", "pid=,ppid=", "-e"], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([own, parent]) => own === pid || parent === pid)
    .map(([own]) => own ?? 0);

/** Stops every process of the server where it stands, as a machine that is paused. @returns lets it go on */
export function freezePostgres(server: RunningPostgres): () => void {
  const processes = processesOf(server);
  const tell = (signal: NodeJS.Signals) => {
    for (const pid of processes) process.kill(pid, signal);
  };
  tell("SIGSTOP");
  return () => tell("SIGCONT");
}
