import { processesOf, type RunningPostgres } from "./postgres";

/** Stops every process of the server with SIGSTOP, as a paused machine. @returns lets it go on */
export function freezePostgres(server: Pick<RunningPostgres, "pid">): () => void {
  const processes = processesOf(server.pid);
  const tell = (signal: NodeJS.Signals) => {
    for (const pid of processes) process.kill(pid, signal);
  };
  tell("SIGSTOP");
  return () => tell("SIGCONT");
}
