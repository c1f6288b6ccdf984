import { hourMs, minuteMs } from "#server/platform/time";
import { isBroken } from "./error-codes";

/**
 * Messages that make other processes poll sooner. They are sent after the commit, and without them
 * the others poll within a second.
 */
export interface Hints {
  /** Sends now, outside of any transaction. Rejects if the database refuses it. */
  send(channel: string, payload: string): Promise<void>;
  /** True if the latest message, within the last minutes, was refused. */
  failing(): boolean;
  failed(): number;
  onFailure(report: (error: unknown) => void): void;
}

/** After this time without a message the state is unknown. */
const remembered = 5 * minuteMs;

export function openHints(
  notify: (channel: string, payload: string) => Promise<unknown>,
  clock = () => performance.now(),
): Hints {
  let failed = 0;
  let failedAt = -hourMs;
  let report: (error: unknown) => void = () => {};
  const failing = () => clock() - failedAt < remembered;
  return {
    failing,
    failed: () => failed,
    onFailure: (to) => {
      report = to;
    },
    send: async (channel, payload) => {
      try {
        await notify(channel, payload);
        failedAt = -hourMs;
      } catch (error) {
        // An unreachable database says nothing about its messages.
        if (!isBroken(error)) {
          failed += 1;
          if (!failing()) report(error);
          failedAt = clock();
        }
        throw error;
      }
    },
  };
}
