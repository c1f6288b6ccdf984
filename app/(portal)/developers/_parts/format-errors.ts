import { formatNumber } from "#app/_lib/format-count";
import type { CappedCount } from "#server/platform/capped-count";
import { shareOf } from "./in-words";

/** What a number of errors is a part of: the calls of a day, or the newest of them where not all were looked at. */
export function formatErrors({ calls, errors }: { readonly calls: CappedCount; readonly errors: number }): string {
  if (calls.count === 0) return "last 24 hours";
  const share = shareOf(errors, calls.count);
  return calls.more ? `${share} of the newest ${formatNumber(calls.count)} calls` : `${share} of the calls`;
}
