import { expect, test } from "vitest";
import { concernsOf, type HourFigures } from "./overview";
import type { Health } from "./read-health";

const well: Health = {
  ...{ status: "ready", version: "1", instance: "a", database: { kind: "postgres", status: "ok" } },
  limiter: { kind: "redis", shared: true, status: "ok" },
  game: {
    ...{ source: "upstream", breaker: "closed", until: null, lastSuccess: null, lastError: null },
    ...{ budgets: { calls: 1, players: 1, spent: 0 }, callsLeft: 800 },
  },
  hints: { status: "ok", queue: 0 },
  chat: { source: "upstream", messages: { waiting: 3, givenUp: 0 } },
  events: { subscribers: 1, inbox: { events: 0, lagSeconds: 0 } },
  webhooks: { messages: 0, failing: 0, lagSeconds: 0 },
  backlog: { rows: 10, tables: {} },
  logs: [{ table: "request_log", aheadSeconds: 600_000, strays: 0 }],
  jobs: [],
};
const quiet: HourFigures = {
  ...{ at: new Date(0), calls: 0, refused: 0, errors: 0, p95: null },
  ...{ signIns: 0, failedSignIns: 0, jobRuns: 0, failedJobs: 0, jobDelay: null },
};
const late: Health["jobs"][number] = {
  ...{
    name: "refresh-users",
    status: "late",
    lastSlot: null,
    lastOutcome: null,
    lastDone: null,
    counts: null,
  },
  backlog: { items: 0, oldestSeconds: null },
};
const tones = (health: Partial<Health>, hour: Partial<HourFigures> = {}) =>
  concernsOf({ ...well, ...health }, [quiet, { ...quiet, ...hour }]).map(({ tone }) => tone);

test("where all is well nothing needs attention, nor where nothing is known", () => {
  expect(tones({})).toEqual([]);
  expect(tones({ backlog: null, webhooks: null, logs: [] })).toEqual([]);
  expect(
    tones({}, { calls: 1_000, errors: 10, failedSignIns: 99, jobRuns: 100, failedJobs: 1 }),
  ).toEqual([]);
});

test.each<[string, Partial<Health>, Partial<HourFigures>, "bad" | "warn"]>([
  ["the database", { database: { kind: "postgres", status: "unavailable" } }, {}, "bad"],
  ["the limiter", { limiter: { kind: "redis", shared: false, status: "fallback" } }, {}, "bad"],
  ["refused hints", { hints: { status: "failing", queue: 0 } }, {}, "warn"],
  ["a NOTIFY queue that fills up", { hints: { status: "ok", queue: 0.51 } }, {}, "warn"],
  ["divided limits", { limiter: { ...well.limiter, warning: "Several count." } }, {}, "warn"],
  ["the game", { game: { ...well.game, breaker: "open" } }, {}, "bad"],
  ["the game's budget", { game: { ...well.game, callsLeft: 0 } }, {}, "warn"],
  ["a late job", { jobs: [late] }, {}, "bad"],
  ["the inbox", { events: { subscribers: 0, inbox: { events: 1, lagSeconds: 61 } } }, {}, "bad"],
  [
    "webhooks that nobody sends",
    { webhooks: { messages: 1, failing: 0, lagSeconds: 61 } },
    {},
    "bad",
  ],
  ["webhooks that fail", { webhooks: { messages: 1, failing: 2, lagSeconds: 0 } }, {}, "warn"],
  ["the chat", { chat: { source: "upstream", messages: { waiting: 0, givenUp: 1 } } }, {}, "warn"],
  ["the sweeper", { backlog: { rows: 10_000, tables: {} } }, {}, "warn"],
  ["partitions", { logs: [{ table: "audit_log", aheadSeconds: 172_799, strays: 0 }] }, {}, "warn"],
  ["errors", {}, { calls: 1_000, errors: 11 }, "bad"],
  ["failed jobs", {}, { jobRuns: 100, failedJobs: 2 }, "warn"],
  ["failed sign-ins", {}, { signIns: 99, failedSignIns: 100 }, "warn"],
])("%s", (_what, health, hour, tone) => {
  expect(tones(health, hour)).toEqual([tone]);
});

test("what callers notice comes first", () => {
  const backlog = { rows: 10_000, tables: {} };
  expect(tones({ backlog, jobs: [late] })).toEqual(["bad", "warn"]);
});
