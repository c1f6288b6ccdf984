import { setMaxListeners } from "node:events";
import { defineError } from "./errors";

/** `end` clears the timer and detaches from the parent. */
export interface Deadline {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Aborts with `reason` after the time, or with its parent. An answer that arrived unread while this
 * process was busy still counts: the event loop gets one turn.
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
    // One signal may end hundreds of works, each with a listener: Node warns of more than ten.
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

/** True for `within`'s own rejection. */
export const isTimeout = timeout.is;

/**
 * Rejects after the time. The work's signal is aborted; work without a signal continues unobserved.
 */
export function within<T>(
  milliseconds: number,
  work: Promise<T> | ((signal: AbortSignal) => Promise<T>),
): Promise<T> {
  const { signal, end } = createDeadline(milliseconds, "timeout");
  return new Promise((resolve, reject) => {
    // Listens before the work does, so that the work's reaction to the signal does not count.
    signal.addEventListener("abort", () => reject(timeout.create("no answer in time", {})), {
      once: true,
    });
    const begun = typeof work === "function" ? work(signal) : work;
    begun.then(resolve, reject).finally(end);
  });
}
