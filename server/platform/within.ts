const timeoutName = "NoAnswerInTime";

/** Whether this is what `within` rejects with by itself. */
export const isTimeout = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "name" in error && error.name === timeoutName;

/**
 * Waits for `work` as long as told, and rejects then; the work itself goes on unheard. An answer that has arrived but was not
 * read yet, because this process was busy, still counts: the loop gets one turn to read it.
 */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () =>
      setImmediate(() => reject(Object.assign(new Error("no answer in time"), { name: timeoutName })));
    const timer = setTimeout(giveUp, milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
