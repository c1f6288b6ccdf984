import { createDeadline } from "./deadline";
import { defineError } from "./define-error";

const timeout = defineError<object>("NoAnswerInTime");

/** Whether this is what `within` rejects with by itself. */
export const isTimeout = timeout.is;

/** Waits for `work` as long as told, and rejects then. Work that takes the signal is told to stop; other work goes on unheard. */
export function within<T>(milliseconds: number, work: Promise<T> | ((signal: AbortSignal) => Promise<T>)): Promise<T> {
  const { signal, end } = createDeadline(milliseconds, "timeout");
  return new Promise((resolve, reject) => {
    // Listens before the work does: what the work makes of the signal does not count.
    signal.addEventListener("abort", () => reject(timeout.create("no answer in time", {})), { once: true });
    const begun = typeof work === "function" ? work(signal) : work;
    begun.then(resolve, reject).finally(end);
  });
}
