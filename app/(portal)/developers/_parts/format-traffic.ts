import { formatNumber, formatShare } from "#app/_lib/format";
import type { CappedCount } from "#server/platform/capped-count";

const short = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** A part of a whole: "2.5%"; nothing of nothing is "0%". */
export const shareOf = (part: number, whole: number): string => formatShare(whole === 0 ? 0 : part / whole);

const milli = 1_000;
const second = 1_000_000;

/** How long something took: "0.4 ms", "12 ms", "1.2 s"; null is "–". */
export function duration(micros: number | null): string {
  if (micros === null) return "–";
  if (micros >= second) return `${short.format(micros / second)} s`;
  return micros >= 10 * milli ? `${formatNumber(Math.round(micros / milli))} ms` : `${short.format(micros / milli)} ms`;
}

/** More errors than this share of the calls need somebody's eyes, once there are enough calls for a share to mean something. */
const tooManyErrors = 0.05;
const fewestCalls = 20;

export const hasManyErrors = ({ calls, errors }: { readonly calls: CappedCount; readonly errors: number }): boolean =>
  calls.count >= fewestCalls && errors / calls.count > tooManyErrors;

/** What a number of errors is a part of: the calls of a day, or the newest of them where not all were looked at. */
export function formatErrors({ calls, errors }: { readonly calls: CappedCount; readonly errors: number }): string {
  if (calls.count === 0) return "last 24 hours";
  const share = shareOf(errors, calls.count);
  return calls.more ? `${share} of the newest ${formatNumber(calls.count)} calls` : `${share} of the calls`;
}
