import { hourMs, minuteMs } from "#server/platform/time";
import { isBroken } from "./error-codes";

/**
 * Messages that make other processes look sooner. What is committed never depends on one: it is sent after the commit, and where
 * it fails the others find out by themselves within a second.
 */
export interface Hints {
  /** Sends a message now, outside of any transaction. Rejects where the database refuses it. */
  send(channel: string, payload: string): Promise<void>;
  /** Whether the database refused the latest message, within the last minutes. */
  failing(): boolean;
  /** How many it has refused. */
  failed(): number;
  /** Called with the error where failing begins. */
  onFailure(report: (error: unknown) => void): void;
}

/** Without another message for so long nothing is known any more. */
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
        // A database that is away says nothing about its messages.
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
