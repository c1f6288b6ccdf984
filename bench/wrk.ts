import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { processorTime } from "./processor-time";
import type { Round, Running } from "./subject";

const run = promisify(execFile);

const Report = z.object({
  requests: z.number(),
  seconds: z.number(),
  p50: z.number(),
  p99: z.number(),
  faults: z.number(),
});

/** Whether the load generator is on the PATH. One in JavaScript would be the bottleneck and flatter every ratio. */
export const hasWrk = (): Promise<boolean> =>
  run("wrk", ["-v"]).then(
    () => true,
    // It prints its version and exits with 1.
    (error: { code?: unknown }) => error.code !== "ENOENT",
  );

/** Puts load on a subject for some seconds. */
export async function putLoad(
  subject: Running,
  load: { connections: number; seconds: number },
): Promise<Round> {
  const script = (await subject.script?.()) ?? {
    file: path.join(import.meta.dirname, "report.lua"),
    args: [],
  };
  const shape = ["-t", "2", "-c", String(load.connections), "-d", `${load.seconds}s`, "--latency"];
  const before = processorTime(subject.pid);
  const { stdout } = await run("wrk", [
    ...shape,
    "-s",
    script.file,
    subject.url,
    "--",
    ...script.args,
  ]);
  const spent = processorTime(subject.pid) - before;
  const report = Report.parse(JSON.parse(stdout.slice(stdout.lastIndexOf("{"))));
  return {
    requestsPerSecond: report.requests / report.seconds,
    microseconds: (spent * 1_000) / Math.max(1, report.requests),
    p50: report.p50,
    p99: report.p99,
    faults: report.faults,
  };
}
