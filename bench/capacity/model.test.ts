import { expect, test } from "vitest";
import { type Costs, needsOf, partsByFullness } from "./model";

const costs: Costs = {
  read: { ours: 200, postgres: 100, redis: 20, wal: 100, kept: 200, tokens: 4 },
  refresh: { ours: 600, postgres: 900, redis: 40, wal: 2_000, kept: 500, tokens: 300 },
};
/** 864,000 players with 100 reads and 2 refreshes a day: 1,000 reads and 20 refreshes a second. */
const demand = { players: 864_000, readsADay: 100, refreshesADay: 2, peak: 3 };

test("needs follow from what a call costs and how many come in the busiest second", () => {
  const needs = needsOf(demand, costs);
  expect(needs.callsASecond).toBeCloseTo(3_060);
  expect(needs.cores.ours).toBeCloseTo(3 * (1_000 * 200e-6 + 20 * 600e-6));
  expect(needs.cores.postgres).toBeCloseTo(3 * (1_000 * 100e-6 + 20 * 900e-6));
  // 0.636 cores at most 60 % busy are two processes; one is to spare, and a worker opens connections too.
  expect([needs.instances, needs.databaseCores, needs.connections]).toEqual([3, 1, 4 * 19]);
  expect([needs.walADay, needs.keptADay]).toEqual([86_400 * 140_000, 86_400 * 210_000]);
});

test("set pools count as set, and behind a pooler one of each process goes past it", () => {
  const [instances, worker] = [3, 1];
  const { connections, pooler } = needsOf(demand, costs, { pools: { general: 12, key: 2 } });
  expect(connections).toBe((instances + worker) * (12 + 5 + 2 + 4 + 1));
  expect(pooler).toEqual({
    clients: (instances + worker) * (12 + 5 + 2 + 4),
    past: instances + worker,
  });
  expect(needsOf(demand, costs).pooler).toEqual({
    clients: (instances + worker) * 21,
    past: instances + worker,
  });
});

test("an access token is there for its hour and a day more, not for a month", () => {
  const { tokens, keptADay } = needsOf(demand, costs);
  expect(tokens.rowsADay).toBe(1_728_000);
  expect(tokens.bytesADay).toBeCloseTo(1_728_000 * 300);
  expect(tokens.bytes).toBeCloseTo((1_728_000 * 300 * 25) / 24);
  const rows = partsByFullness(needsOf(demand, costs)).find(
    ({ part }) => part === "rows of a month, 4 TB",
  );
  expect(rows?.full).toBeCloseTo((keptADay * 30 + tokens.bytes) / 4e12, 9);
});

test("what is scaled by a number needs that many times the processor, and an instance to spare all the same", () => {
  const [one, ten] = [1, 10].map((by) =>
    needsOf({ ...demand, players: demand.players * by }, costs),
  );
  expect(ten?.cores.postgres).toBeCloseTo(10 * (one?.cores.postgres ?? Number.NaN));
  expect(needsOf({ ...demand, players: 1 }, costs)).toMatchObject({
    instances: 2,
    databaseCores: 1,
  });
});

test.each([
  ["connections to PostgreSQL", { ours: 2_000, postgres: 1, redis: 1, wal: 1, kept: 1, tokens: 0 }],
  [
    "PostgreSQL's processor, 32 cores",
    { ours: 1, postgres: 9_000, redis: 1, wal: 1, kept: 1, tokens: 0 },
  ],
  [
    "PostgreSQL's log of writes, 2 TB a day",
    { ours: 1, postgres: 1, redis: 1, wal: 90_000, kept: 1, tokens: 0 },
  ],
  ["rows of a month, 4 TB", { ours: 1, postgres: 1, redis: 1, wal: 1, kept: 90_000, tokens: 0 }],
  ["Redis, which has one core", { ours: 1, postgres: 1, redis: 900, wal: 1, kept: 1, tokens: 0 }],
])("the part that is fullest comes first: %s", (part, cost) => {
  expect(partsByFullness(needsOf(demand, { read: cost, refresh: cost }))[0]).toMatchObject({
    part,
  });
});
