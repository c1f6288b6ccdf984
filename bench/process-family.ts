import { readdirSync, readFileSync } from "node:fs";

/** A process as the system lists it. */
export interface KnownProcess {
  readonly pid: number;
  readonly parent: number;
  /** Processor time, in ticks of the system's clock. */
  readonly ticks: number;
}

/** A process and its descendants; none where the system does not tell (no /proc). */
export function familyOf(pid: number): KnownProcess[] {
  const processes = readProcesses();
  const descendants = (parent: number): number[] => [
    parent,
    ...processes.filter((one) => one.parent === parent).flatMap((one) => descendants(one.pid)),
  ];
  const family = new Set(descendants(pid));
  return processes.filter((one) => family.has(one.pid));
}

function readProcesses(): KnownProcess[] {
  try {
    return readdirSync("/proc").flatMap((name) =>
      /^\d+$/.test(name) ? readProcess(Number(name)) : [],
    );
  } catch {
    return [];
  }
}

function readProcess(pid: number): KnownProcess[] {
  try {
    // The command's name is in parentheses and may hold spaces; the fields after it do not.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
