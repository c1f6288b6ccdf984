import { setMaxListeners } from "node:events";
import { defineError } from "./errors";

/** A signal with a time limit. `end` stops the clock and lets go of the parent. */
export interface Deadline {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * A signal that is aborted with `reason` when the time is over, or with its parent's reason when the parent is.
 * An answer that has arrived but was not read yet, because this process was busy, still counts: the loop gets one turn to
 * read it.
 */
export function createDeadline(
  milliseconds: number,
  reason: string,
  parent?: AbortSignal,
): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  let ended = false;
  const giveUp = () => {
    if (!ended) controller.abort(reason);
  };
  const timer = setTimeout(() => setImmediate(giveUp), milliseconds);
  if (parent?.aborted) follow();
  else if (parent) {
    // One signal may end hundreds of works, each of which lets go of it: Node warns of more than ten listeners.
    setMaxListeners(0, parent);
    parent.addEventListener("abort", follow, { once: true });
  }
  return {
    signal: controller.signal,
    end: () => {
      ended = true;
      clearTimeout(timer);
      parent?.removeEventListener("abort", follow);
    },
  };
}

const timeout = defineError<object>("NoAnswerInTime");

/** Whether this is what `within` rejects with by itself. */
export const isTimeout = timeout.is;

/**
 * Waits for `work` up to the limit, then rejects and aborts the signal. Work without the signal
 * goes on, unused.
 */
export function within<T>(
  milliseconds: number,
  work: Promise<T> | ((signal: AbortSignal) => Promise<T>),
): Promise<T> {
  const { signal, end } = createDeadline(milliseconds, "timeout");
  return new Promise((resolve, reject) => {
    // Listens before the work does: what the work makes of the signal does not count.
    signal.addEventListener("abort", () => reject(timeout.create("no answer in time", {})), {
      once: true,
    });
    const begun = typeof work === "function" ? work(signal) : work;
    begun.then(resolve, reject).finally(end);
  });
}
