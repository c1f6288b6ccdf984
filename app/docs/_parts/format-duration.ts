import { formatCount } from "#app/_lib/format-count";
import { daySeconds, hourSeconds } from "#server/platform/durations";

const units = [
  ["day", daySeconds],
  ["hour", hourSeconds],
  ["minute", 60],
] as const;

/** A duration in its largest whole unit: 3600 is "1 hour", 90 is "90 seconds". */
export function formatDuration(seconds: number): string {
  for (const [unit, length] of units)
    if (seconds >= length && seconds % length === 0) return formatCount(seconds / length, unit);
  return formatCount(seconds, "second");
}
