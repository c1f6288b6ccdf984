import { defineError } from "./define-error";

const timeout = defineError<object>("NoAnswerInTime");

/** Whether this is what `within` rejects with by itself. */
export const isTimeout = timeout.is;

/**
 * Waits for `work` as long as told, and rejects then. Work that takes the signal is told to stop; other work goes on unheard.
 * An answer that has arrived but was not read yet, because this process was busy, still counts: the loop gets one turn to
 * read it.
 */
export function within<T>(milliseconds: number, work: Promise<T> | ((signal: AbortSignal) => Promise<T>)): Promise<T> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(timeout.create("no answer in time", {}));
      controller.abort();
    };
    const timer = setTimeout(() => setImmediate(giveUp), milliseconds);
    const begun = typeof work === "function" ? work(controller.signal) : work;
    begun.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
