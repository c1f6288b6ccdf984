import { minuteMs, secondMs } from "#server/platform/time";
import type { Attack, ListedAttack } from "./contract/attack";
import { type Rows, rowsSent } from "./contract/rows";

/** The game's largest page of attacks. */
export const attackPageSize = 100;
/**
 * A fight takes five minutes at most. The game does not say whether `from` is about beginnings or ends, and excludes its second:
 * what is asked for begins so long before the mark that a fight which began before it and ended after it is listed either way.
 */
const overlapMs = 360_000;
/** The game's clock may be ahead of ours so far. What lies further in the future would hold the mark there. */
const clockErrorMs = minuteMs;
/** A fight that still has no end after this long never gets one. */
const longestFightMs = 900_000;

/** The moment from which a reading starts: before the newest end that was read, and not before `reach`. */
export const beginningOf = (mark: Date | null, reach: Date): Date =>
  latest(reach, mark && new Date(mark.getTime() - overlapMs));

/** The progress that one page of a log makes. */
export interface LogStep {
  readonly finished: Attack[];
  /** How far the log is read now; the next reading begins an overlap earlier. Null where the page moves nothing. */
  readonly mark: Date | null;
  /** The `from` of the next page; null where this was the last one. */
  readonly next: Date | null;
}

/**
 * Follows a log of attacks, oldest first, over its pages. A page begins where the last one's newest beginning was, whichever moment
 * the game sorts and compares: no unread row lies before that. A second that fills a page by itself is left behind.
 * @param begun when the run began
 */
export function createAttackLogReader(begun: Date) {
  const known = new Set<string>();

  return function step(page: Rows<ListedAttack>, from: Date): LogStep {
    const present = new Date(begun.getTime() + clockErrorMs);
    const finished = page.filter(isFinished).filter(({ ended }) => ended <= present);
    const fresh = page.some(({ code }) => !known.has(code));
    for (const { code } of page) known.add(code);
    const end = latest(...finished.map(({ ended }) => ended));
    if (rowsSent(page) < attackPageSize)
      return { finished, mark: unpassed(page, end, begun), next: null };
    const begins = latest(...page.flatMap(({ started }) => (started <= present ? [started] : [])));
    const onward = fresh && begins ? new Date(begins.getTime() - secondMs) : end;
    const next = latest(new Date(from.getTime() + secondMs), onward);
    // So that the next run begins at `next`, however many attacks fill an overlap; but never behind a fight that goes on now.
    const reached = new Date(Math.min(next.getTime() + overlapMs, begun.getTime()));
    return { finished, mark: unpassed(page, latest(reached, end), begun), next };
  };
}

const isFinished = (attack: ListedAttack): attack is Attack => attack.ended !== null;

/** The mark, or the beginning of a fight that goes on, if that is earlier. */
function unpassed(page: readonly ListedAttack[], mark: Date | null, begun: Date): Date | null {
  const going = page
    .filter(
      ({ ended, started }) =>
        ended === null && begun.getTime() - started.getTime() < longestFightMs,
    )
    .map(({ started }) => started.getTime());
  return mark && new Date(Math.min(mark.getTime(), ...going));
}

function latest(first: Date, ...others: (Date | null)[]): Date;
function latest(...moments: (Date | null)[]): Date | null;
function latest(...moments: (Date | null)[]): Date | null {
  const known = moments.flatMap((moment) => (moment ? [moment.getTime()] : []));
  return known.length === 0 ? null : new Date(Math.max(...known));
}
