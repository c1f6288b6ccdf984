import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Milliseconds of processor time that a process and its descendants have used. 0 where the system does not tell
 * (no /proc).
 */
export function processorTime(pid: number): number {
  const processes = readProcesses();
  const descendants = (parent: number): number[] => [
    parent,
    ...processes.filter((one) => one.parent === parent).flatMap((one) => descendants(one.pid)),
  ];
  const family = new Set(descendants(pid));
  const ticks = processes.filter((one) => family.has(one.pid)).reduce((sum, one) => sum + one.ticks, 0);
  return (ticks * 1_000) / ticksPerSecond();
}

function readProcesses(): { pid: number; parent: number; ticks: number }[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  } catch {
    return [];
  }
}

function readProcess(pid: number): { pid: number; parent: number; ticks: number }[] {
  try {
    // The command's name stands in parentheses and may hold spaces; the fields after it do not.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

const ticksPerSecond = (): number => Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
