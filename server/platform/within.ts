/** Waits for `work` as long as told, and rejects then; the work itself goes on unheard. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer in time")), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
