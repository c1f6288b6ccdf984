import { expect } from "vitest";

const stepMs = 10;

/** Milliseconds; one shared timer. */
let lived = 0;
setInterval(() => {
  lived += stepMs;
}, stepMs).unref();

/**
 * Milliseconds of this process's own run time: a pause by a busy machine counts as one step,
 * because a promise such as "within a second" is not about other processes.
 */
export function livedTime(): () => number {
  const since = lived;
  return () => lived - since;
}

export function expectWithin<Answer>(milliseconds: number, ask: () => Answer | Promise<Answer>) {
  const passed = livedTime();
  const inTime = () => {
    if (passed() > milliseconds) throw new Error(`Not within ${milliseconds} milliseconds.`);
    return ask();
  };
  return expect.poll(inTime, { interval: 5 });
}
