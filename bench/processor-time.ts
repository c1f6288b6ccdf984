import { execFileSync } from "node:child_process";
import { familyOf } from "./process-family";

/**
 * Milliseconds of processor time that a process and its descendants have used. 0 where the system does not tell
 * (no /proc).
 */
export function processorTime(pid: number): number {
  const ticks = familyOf(pid).reduce((sum, one) => sum + one.ticks, 0);
  return (ticks * 1_000) / ticksPerSecond();
}

const ticksPerSecond = (): number =>
  Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
