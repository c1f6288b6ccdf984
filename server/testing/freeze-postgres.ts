import { processesOf, type RunningPostgres } from "./postgres";

/** Stops every process of the server, as on a paused machine. @returns a function to resume */
export function freezePostgres(server: Pick<RunningPostgres, "pid">): () => void {
  // The parent first, or it starts another process meanwhile.
  process.kill(server.pid, "SIGSTOP");
  const processes = processesOf(server.pid);
  const tell = (signal: NodeJS.Signals) => {
    for (const pid of processes) process.kill(pid, signal);
  };
  tell("SIGSTOP");
  return () => tell("SIGCONT");
}
