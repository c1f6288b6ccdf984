import { dayMs, minuteMs, secondMs } from "#server/platform/time";
import { type AttackPageQuery, pageSize } from "./client";
import type { Attack, ListedAttack } from "./contract/attack";
import { countSentRows, type Rows } from "./contract/rows";

/**
 * The game's `from` is exclusive and may mean begin or end of a fight. Fights take at most five
 * minutes, so those that span the mark are read again.
 */
const overlapMs = 360_000;
/** Allowed clock skew. Attacks further in the future are ignored: they would block the mark. */
const clockErrorMs = minuteMs;
/** A fight without an end after this long never gets one. */
const longestFightMs = 900_000;

export const resumePointOf = (mark: Date | null, reach: Date): Date =>
  latest(reach, mark && new Date(mark.getTime() - overlapMs));

/** Older attacks are not read: they cannot be retaliated any more, and their scores have aged. */
const reachMs = dayMs;

interface LogStep {
  readonly finished: Attack[];
  /** The next run starts `overlapMs` before the mark. Null if the page does not move the mark. */
  readonly mark: Date | null;
  readonly next: Date | null;
}

interface AttackLog {
  /** Stored mark: end of the newest attack read. */
  readonly seen: Date | null;
  readonly begun: Date;
  readonly calls: number;
  readonly ask: (page: AttackPageQuery) => Promise<Rows<ListedAttack>>;
  readonly keep: (page: Rows<ListedAttack>, read: LogStep) => Promise<void>;
}

/**
 * A failure does not undo the pages kept before.
 * @returns `from` where reading stopped before the newest attack, or null
 */
export async function readAttackLog({ seen, begun, calls, ask, keep }: AttackLog) {
  const follow = createAttackLogCursor(begun);
  const pages: Rows<ListedAttack>[] = [];
  let from: Date | null = resumePointOf(seen, new Date(begun.getTime() - reachMs));
  for (let call = 1; call <= calls && from; call++) {
    const page = await ask({ from, sort: "ASC" });
    pages.push(page);
    const step = follow(page, from);
    await keep(page, step);
    from = step.next;
  }
  return { from, pages };
}

/**
 * Each page starts at the newest begin on the page before, whichever time the game sorts by. A
 * second that fills a whole page is skipped.
 * @param begun start of the run
 */
export function createAttackLogCursor(begun: Date) {
  const known = new Set<string>();

  return function step(page: Rows<ListedAttack>, from: Date): LogStep {
    const present = new Date(begun.getTime() + clockErrorMs);
    const finished = finishedIn(page, begun);
    const fresh = page.some(({ code }) => !known.has(code));
    for (const { code } of page) known.add(code);
    const end = latest(...finished.map(({ ended }) => ended));
    if (countSentRows(page) < pageSize)
      return { finished, mark: unpassed(page, end, begun), next: null };
    const begins = latest(...page.flatMap(({ started }) => (started <= present ? [started] : [])));
    const onward = fresh && begins ? new Date(begins.getTime() - secondMs) : end;
    const next = latest(new Date(from.getTime() + secondMs), onward);
    // Adds the overlap, so that the next run starts at `next` even if an overlap fills a page.
    const reached = new Date(Math.min(next.getTime() + overlapMs, begun.getTime()));
    return { finished, mark: unpassed(page, latest(reached, end), begun), next };
  };
}

export const finishedIn = (page: readonly ListedAttack[], begun: Date): Attack[] =>
  page.filter(
    (attack): attack is Attack =>
      attack.ended !== null && attack.ended.getTime() <= begun.getTime() + clockErrorMs,
  );

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
