import { countOf } from "#lib/count-of";

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** A duration in its largest whole unit: 3600 is "1 hour", 90 is "90 seconds". */
export function durationInWords(seconds: number): string {
  for (const [unit, length] of units)
    if (seconds >= length && seconds % length === 0) return countOf(seconds / length, unit);
  return countOf(seconds, "second");
}
