import { expect } from "vitest";

const stepMs = 10;

/** Milliseconds that this process has lived through. One timer for all callers. */
let lived = 0;
setInterval(() => {
  lived += stepMs;
}, stepMs).unref();

/**
 * Milliseconds that this process has lived through since the call. Time in which a busy machine let it stand still
 * counts as one step: a promise such as "within a second" is about what the product waits for, not about how many others want
 * the processor.
 */
export function livedTime(): () => number {
  const since = lived;
  return () => lived - since;
}

/** Asks again and again, and expects the answer while this process lives through so many milliseconds. */
export function expectWithin<Answer>(milliseconds: number, ask: () => Answer | Promise<Answer>) {
  const passed = livedTime();
  const inTime = () => {
    if (passed() > milliseconds) throw new Error(`Not within ${milliseconds} milliseconds.`);
    return ask();
  };
  return expect.poll(inTime, { interval: 5 });
}
