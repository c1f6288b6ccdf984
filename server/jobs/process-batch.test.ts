import { expect, test } from "vitest";
import { type GameCallErrorKind, gameCallError } from "#server/game/game-call-error";
import { recordedLog } from "#server/testing/recorded-log";
import type { Counts } from "./job";
import { type Batch, processBatch } from "./process-batch";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const refusal = (kind: GameCallErrorKind) => gameCallError({ kind, detail: "in a test" });

function run(
  plan: Partial<Batch<number>> & Pick<Batch<number>, "each">,
  { budget = 100, signal = AbortSignal.any([]) } = {},
) {
  const log = recordedLog();
  const counts = processBatch(
    { log, now },
    { budget, signal },
    { items: numbers(10), name: (item) => ({ item }), ...plan },
  );
  return { counts, log };
}

const now = () => new Date("2026-03-01T12:00:00.000Z");
const done = async (): Promise<Counts> => ({ done: 1 });

function held() {
  const waiting: (() => void)[] = [];
  let most = 0;
  const each = async () => {
    most = Math.max(most, waiting.length + 1);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { done: 1 };
  };
  const release = async () => {
    for (let go = waiting.shift(); go; go = waiting.shift()) {
      go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { each, release, waiting, most: () => most };
}

test("items are done in their order, and what they did is added up", async () => {
  const order: number[] = [];
  const each = async (item: number) => {
    order.push(item);
    return { done: 1, members: item };
  };
  expect(await run({ each }).counts).toEqual({ done: 10, members: 45, failed: 0, skipped: 0 });
  expect(order).toEqual(numbers(10));
});

test("no more than four items are under way at a time", async () => {
  const { each, release, waiting, most } = held();
  const { counts } = run({ each });
  expect(waiting).toHaveLength(4);
  await release();
  expect(await counts).toMatchObject({ done: 10 });
  expect(most()).toBe(4);
});

test("the calls of all items together stay within the run's budget", async () => {
  const calls = (item: number) => (item % 2) + 1;
  expect(await run({ each: done, calls }, { budget: 7 }).counts).toMatchObject({ done: 5 });
});

test("what was left is counted, with the age of the longest untried", async () => {
  const triedAt = (item: number) => new Date(now().getTime() - (100 - item) * 1_000);
  expect(await run({ each: done, triedAt }, { budget: 7 }).counts).toMatchObject({
    done: 7,
    left: 3,
    oldest: 93,
  });
  const never = await run({ each: done, triedAt: () => null }, { budget: 7 }).counts;
  expect(never).toEqual({ done: 7, failed: 0, skipped: 0, left: 3 });
});

test("an item that could not be tried gives its calls back", async () => {
  const each = async (item: number): Promise<Counts> => (item < 3 ? { skipped: 1 } : { done: 1 });
  expect(await run({ each, concurrency: 1 }, { budget: 5 }).counts).toMatchObject({
    skipped: 3,
    done: 5,
  });
});

test("a process that drains starts no further item, and ends those under way", async () => {
  const draining = new AbortController();
  const { each, release, waiting } = held();
  const { counts } = run({ each }, { signal: draining.signal });
  draining.abort();
  expect(waiting).toHaveLength(4);
  await release();
  expect(await counts).toMatchObject({ done: 4 });
});

test.each<GameCallErrorKind>(["server-side", "ip-block", "front-refusal", "network", "timeout"])(
  "RE-52 at the first %s the run ends: the next item would fare no better",
  async (kind) => {
    let tried = 0;
    const each = async (item: number) => {
      tried++;
      if (item === 2) throw refusal(kind);
      return { done: 1 };
    };
    await expect(run({ each, concurrency: 1 }).counts).rejects.toMatchObject({ kind });
    expect(tried).toBe(3);
  },
);

test("an item that the game refuses, or that breaks on a fault of ours, does not hold up the others", async () => {
  const each = async (item: number) => {
    if (item === 1) throw refusal("unknown-id");
    if (item === 2) throw refusal("owner-budget");
    if (item === 3) throw new Error("a fault of ours");
    return { done: 1 };
  };
  const { counts, log } = run({ each });
  expect(await counts).toEqual({ done: 7, failed: 1, skipped: 1, broken: 1 });
  expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([
    ["warn", { item: 1, kind: "unknown-id" }],
    ["error", { item: 3, error: expect.objectContaining({ message: "a fault of ours" }) }],
  ]);
});

test("where every item breaks the run fails", async () => {
  const each = async () => {
    throw new Error("the whole table is gone");
  };
  await expect(run({ each }).counts).rejects.toThrow("the whole table is gone");
});

test("where the database is away the run ends", async () => {
  let tried = 0;
  const each = async () => {
    tried++;
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  };
  await expect(run({ each, concurrency: 1 }).counts).rejects.toThrow("connect");
  expect(tried).toBe(1);
});

test("an item without end is left behind: its signal ends, its worker goes on, the run ends", async () => {
  const signals: AbortSignal[] = [];
  const each = async (item: number, signal: AbortSignal) => {
    if (item > 0) return { done: 1 };
    signals.push(signal);
    return new Promise<Counts>(() => {});
  };
  const { counts, log } = run({ each, concurrency: 1, timeout: 5 });
  expect(await counts).toEqual({ done: 9, failed: 0, skipped: 0, slow: 1 });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(log.lines.map(({ level }) => level)).toEqual(["warn"]);
});
