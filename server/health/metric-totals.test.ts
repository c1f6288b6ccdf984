import { expect, test } from "vitest";
import { createMetrics } from "#server/platform/metrics";
import { growth, latencyQuantile, totalsOf } from "./metric-totals";

test("calls, pages, refusals and errors are told apart by route and status", () => {
  const metrics = createMetrics();
  for (const [route, status] of [
    ["/api/v1/user", "200"],
    ["/api/v1/user", "404"],
    ["/oauth/token", "400"],
    ["/oauth/token", "503"],
    ["/sign-in", "404"],
    ["/docs", "500"],
    ["/api/v1/events", "200"],
  ] as const)
    metrics.requests.of("GET", route, status).observe(0.004);
  metrics.signIns.of("key", "signed-in").inc(2);
  metrics.signIns.of("key", "wrong").inc();
  metrics.gameCalls.of("ok").observe(1);
  metrics.gameCalls.of("timeout").observe(1);
  metrics.gameRows.of("faction/attacks", "read").inc(98);
  metrics.gameRows.of("torn/items", "unreadable").inc(2);
  metrics.vaultNewsPages.of("understood").inc();
  metrics.vaultNewsPages.of("unknown").inc();
  metrics.jobRuns.of("a", "done").observe(1);
  metrics.jobRuns.of("b", "failed").observe(1);
  metrics.jobDelay.of().inc(0.5);
  expect(totalsOf(metrics)).toMatchObject({
    ...{ calls: 5, pages: 2, refused: 2, errors: 2, signIns: 2, failedSignIns: 1 },
    ...{
      gameCalls: 2,
      gameErrors: 1,
      gameRows: 100,
      unreadableRows: 2,
      unknownNews: 1,
      jobRuns: 2,
      failedJobs: 1,
      jobDelay: 0.5,
    },
    ...{ "within:0.0025": 0, "within:0.005": 4, "within:+Inf": 4 },
  });
});

test("neither probes of a load balancer nor files are traffic, and a process that is not ready makes no errors", () => {
  const metrics = createMetrics();
  for (const [route, status] of [
    ["/health", "200"],
    ["/health", "503"],
    ["file", "200"],
    ["file", "404"],
  ] as const)
    metrics.requests.of("GET", route, status).observe(0.004);
  expect(totalsOf(metrics)).toEqual({ jobDelay: 0 });
});

test("only what came on top is written", () => {
  expect(growth({ a: 1, b: 2 }, { a: 1, b: 5, c: 2 })).toEqual({ b: 3, c: 2 });
  expect(growth({}, {})).toEqual({});
});

test.each([
  [{}, undefined],
  [{ "within:0.1": 0, "within:+Inf": 0 }, undefined],
  [{ "within:0.1": 95, "within:1": 99, "within:+Inf": 100 }, 0.1],
  [{ "within:0.1": 94, "within:1": 99, "within:+Inf": 100 }, 1],
  [{ "within:10": 1, "within:2.5": 1, "within:+Inf": 40 }, Number.POSITIVE_INFINITY],
])("the bound that holds 95 of 100 calls of %j is %s", (counted, seconds) => {
  expect(latencyQuantile(counted, 0.95)).toBe(seconds);
});
