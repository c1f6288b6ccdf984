import type { Context } from "#server/context";
import { describeError } from "#server/platform/describe-error";
import { secondMs } from "#server/platform/durations";
import { addFigures } from "./store";
import { growth, type Totals, totalsOf } from "./totals";

/** Adds what this process counts to what all of them counted. */
export interface FigureRecorder {
  /** Writes what came since the last time. Never fails: what the database would not take is written with the next. */
  record(): Promise<void>;
  /** Writes the rest. */
  close(): Promise<void>;
}

const pauseMs = 10 * secondMs;

/** Reads the metrics, which are counted anyway, every ten seconds: a call costs nothing more. */
export function createFigureRecorder({
  database,
  metrics,
  now,
  log,
}: Pick<Context, "database" | "metrics" | "now" | "log">): FigureRecorder {
  let written: Totals = {};
  let recording = Promise.resolve();
  const write = async () => {
    const totals = totalsOf(metrics);
    await addFigures(database.query, now(), growth(written, totals));
    written = totals;
  };
  const record = () => {
    recording = recording.then(write).catch((error: unknown) => {
      log.debug({ error: describeError(error) }, "figures could not be written");
    });
    return recording;
  };
  const timer = setInterval(record, pauseMs).unref();
  return {
    record,
    close: () => {
      clearInterval(timer);
      return record();
    },
  };
}
