import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConnectionQueue } from "./connection-queue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function held() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return { end, work: () => ended };
}

/** Milliseconds. */
const longestWait = 2_000;
const busy = { code: "POOL_BUSY" };

test("as many run at once as there are places, the others in the order in which they came", async () => {
  const queue = createConnectionQueue(2, longestWait);
  const begun: number[] = [];
  const all = [held(), held(), held(), held()];
  const done = all.map(({ work }, index) =>
    queue.run(() => {
      begun.push(index);
      return work();
    }),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([0, 1]);
  all[1]?.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([0, 1, 2]);
  for (const { end } of all) end();
  await Promise.all(done);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test("work that fails gives its place back", async () => {
  const queue = createConnectionQueue(1, longestWait);
  await expect(queue.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await queue.run(async () => "yes")).toBe("yes");
});

test("a caller that waits for longer than is allowed is refused, and takes no connection later", async () => {
  const queue = createConnectionQueue(1, longestWait);
  const first = held();
  const running = queue.run(first.work);
  const work = vi.fn(async () => "too late");
  const refused = expect(queue.run(work)).rejects.toMatchObject(busy);
  queue.sweep(longestWait - 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(work).not.toHaveBeenCalled();
  queue.sweep(1);
  await refused;
  first.end();
  await running;
  expect(await queue.run(async () => "in time")).toBe("in time");
  expect(work).not.toHaveBeenCalled();
});

test("the queue has an end, and who comes beyond it is sent away at once", async () => {
  const queue = createConnectionQueue(1, longestWait);
  const first = held();
  const all = [
    queue.run(first.work),
    ...Array.from({ length: 1_000 }, () => queue.run(async () => {})),
  ];
  await expect(queue.run(async () => {})).rejects.toMatchObject(busy);
  first.end();
  await Promise.all(all);
});
