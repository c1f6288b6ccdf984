import { figure } from "#lib/figure";
import type { Tally } from "#server/tally";
import { shareOf } from "./in-words";

/** What a number of errors is a part of: the calls of a day, or the newest of them where not all were looked at. */
export function errorsInWords({ calls, errors }: { readonly calls: Tally; readonly errors: number }): string {
  if (calls.count === 0) return "last 24 hours";
  const share = shareOf(errors, calls.count);
  return calls.more ? `${share} of the newest ${figure(calls.count)} calls` : `${share} of the calls`;
}
