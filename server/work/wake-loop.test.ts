import { expect, test } from "vitest";
import { createWakeLoop } from "./wake-loop";

/** Runs that end when the test says so. */
function setUp() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const failures: unknown[] = [];
  const loop = createWakeLoop({
    run: () =>
      new Promise<void>((resolve, reject) => {
        ends.push({ resolve, reject });
      }),
    onFailure: (error) => failures.push(error),
  });
  const begun = (count: number) => expect.poll(() => ends.length).toBe(count);
  return { loop, ends, failures, begun };
}

test("many wakes during a run cause one more", async () => {
  const { loop, ends, begun } = setUp();
  for (let n = 0; n < 3; n++) loop.wake();
  await begun(1);
  for (let n = 0; n < 3; n++) loop.wake();
  ends[0]?.resolve();
  await begun(2);
  ends[1]?.resolve();
  await loop.running();
  expect(ends).toHaveLength(2);
});

test("many wakes before the deferred run begins cause one", async () => {
  const deferred: (() => Promise<void>)[] = [];
  let runs = 0;
  const loop = createWakeLoop({
    run: async () => {
      runs += 1;
    },
    onFailure: () => {},
    defer: (work) => void deferred.push(work),
  });
  for (let n = 0; n < 3; n++) loop.wake();
  await Promise.all(deferred.map((work) => work()));
  expect(runs).toBe(1);
});

test("a caller during a run waits for the run that begins after its call", async () => {
  const { loop, ends, begun } = setUp();
  loop.wake();
  await begun(1);
  let isOver = false;
  const called = loop.run().then(() => {
    isOver = true;
  });
  ends[0]?.resolve();
  await begun(2);
  expect(isOver).toBe(false);
  ends[1]?.resolve();
  await called;
});

test("a wake as a run ends is not lost", async () => {
  const { loop, ends, begun } = setUp();
  loop.wake();
  await begun(1);
  const ended = loop.running();
  ends[0]?.resolve();
  await ended;
  loop.wake();
  await begun(2);
});

test("a failed run is reported once, and the next wake runs again", async () => {
  const { loop, ends, failures, begun } = setUp();
  loop.wake();
  await begun(1);
  ends[0]?.reject(new Error("down"));
  await expect.poll(() => failures).toEqual([new Error("down")]);
  loop.wake();
  await begun(2);
  ends[1]?.resolve();
  await loop.running();
  expect(failures).toHaveLength(1);
});

test("a caller hears of a failure, and the owner does not", async () => {
  const { loop, ends, failures, begun } = setUp();
  const called = loop.run();
  await begun(1);
  ends[0]?.reject(new Error("down"));
  await expect(called).rejects.toThrow("down");
  expect(failures).toEqual([]);
});

test("a stopped loop ends after its run, and no wake begins another", async () => {
  const { loop, ends, begun } = setUp();
  loop.wakeEvery(1);
  await begun(1);
  loop.wake();
  loop.stop();
  const ended = loop.running();
  ends[0]?.resolve();
  await ended;
  loop.wake();
  expect(loop.running()).toBeUndefined();
  expect(ends).toHaveLength(1);
});
