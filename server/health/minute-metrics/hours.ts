import { hourMs } from "#server/platform/durations";
import type { MetricsPeriod } from "./show-figures";

/** What adds up. */
export type Hour = Omit<MetricsPeriod, "p95" | "jobDelay">;

/** Stretches as the hours that they lie in, the newest first, without those in which nothing was. */
export function hoursOf(stretches: readonly MetricsPeriod[]): Hour[] {
  const hours = new Map<number, Hour>();
  for (const stretch of stretches) {
    const start = Math.floor(stretch.at.getTime() / hourMs) * hourMs;
    hours.set(start, add({ ...stretch, at: new Date(start) }, hours.get(start)));
  }
  return [...hours.values()].filter(({ at, ...counts }) => Object.values(counts).some(Boolean)).reverse();
}

const add = (one: Hour, other: Hour | undefined): Hour => ({
  at: one.at,
  calls: one.calls + (other?.calls ?? 0),
  refused: one.refused + (other?.refused ?? 0),
  errors: one.errors + (other?.errors ?? 0),
  pages: one.pages + (other?.pages ?? 0),
  signIns: one.signIns + (other?.signIns ?? 0),
  failedSignIns: one.failedSignIns + (other?.failedSignIns ?? 0),
  gameCalls: one.gameCalls + (other?.gameCalls ?? 0),
  gameErrors: one.gameErrors + (other?.gameErrors ?? 0),
  gameRows: one.gameRows + (other?.gameRows ?? 0),
  unreadableRows: one.unreadableRows + (other?.unreadableRows ?? 0),
  unknownNews: one.unknownNews + (other?.unknownNews ?? 0),
  jobRuns: one.jobRuns + (other?.jobRuns ?? 0),
  failedJobs: one.failedJobs + (other?.failedJobs ?? 0),
});
