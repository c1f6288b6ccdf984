import { setMaxListeners } from "node:events";
import { defineError } from "./errors";

export interface Deadline {
  readonly signal: AbortSignal;
  end(): void;
}

/** Ends one turn of the event loop later, so that an answer that has arrived counts. */
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
    // Node would warn of more than ten listeners.
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

export const isTimeout = timeout.is;

/** Aborts the work's signal. Work without a signal continues unobserved. */
export function within<T>(
  milliseconds: number,
  work: Promise<T> | ((signal: AbortSignal) => Promise<T>),
): Promise<T> {
  const { signal, end } = createDeadline(milliseconds, "timeout");
  return new Promise((resolve, reject) => {
    // Comes first, because the work's own reaction to the signal must not count.
    signal.addEventListener("abort", () => reject(timeout.create("no answer in time", {})), {
      once: true,
    });
    const begun = typeof work === "function" ? work(signal) : work;
    begun.then(resolve, reject).finally(end);
  });
}
