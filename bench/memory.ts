import { readFileSync } from "node:fs";
import { familyOf } from "./process-family";

/** Megabytes that a process and its descendants hold: each page once that they share (PSS), and as each of them counts it (RSS). */
export interface Memory {
  readonly pss: number;
  readonly rss: number;
  readonly processes: number;
}

export function memoryOf(pid: number): Memory {
  const family = familyOf(pid).map(({ pid: each }) => read(each));
  const sum = (name: "Pss" | "Rss") =>
    family.reduce(
      (total, text) =>
        total + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0),
      0,
    ) / 1_000;
  return { pss: sum("Pss"), rss: sum("Rss"), processes: family.length };
}

function read(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
