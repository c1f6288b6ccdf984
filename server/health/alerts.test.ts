import { readFileSync } from "node:fs";
import path from "node:path";
import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createMetrics } from "#server/platform/metrics";
import { metricReadings } from "./metrics-listener";
import { minAheadSeconds } from "./overview";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const alerts = read("deploy/prometheus/alerts.yaml");
const dashboard = read("deploy/grafana/dashboard.json");
const runbook = read("docs/runbook.md");

/** prom-client's record of a metric. */
interface Family {
  readonly name: string;
  readonly labelNames: readonly string[];
}
const metrics = Object.values(createMetrics());
const families = metrics as unknown as readonly Family[];
const readLabels = metricReadings.flatMap(({ label }) => label ?? []);
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

const names = new Set(
  [
    ...(await ofProcess.getMetricsAsJSON()),
    ...(await Promise.all(metrics.map((metric) => metric.get()))),
    ...metricReadings.map(({ name }) => ({ name, type: undefined })),
  ].flatMap(({ name, type }) =>
    String(type) === "histogram"
      ? ["_bucket", "_count", "_sum"].map((suffix) => name + suffix)
      : [name],
  ),
);

test.each([
  ["alerts", alerts],
  ["dashboard", dashboard],
])("each metric that the %s name exists", (_of, text) => {
  const named = new Set(matches(text, /\b((?:adjutant|nodejs|process)_[a-z0-9_]+)\b/g));
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((name) => !names.has(name))).toEqual([]);
});

test.each([
  ["alerts", alerts],
  ["dashboard", dashboard],
])("each label that the %s go by exists", (_of, text) => {
  const groups = matches(text, /\b(?:by|on) \(([a-z_, ]+)\)/g).flatMap((list) => list.split(/, */));
  const selectors = matches(text, /[{,]\s*([a-z_]+)=~?\\?"/g);
  const known = new Set([
    "instance",
    "job",
    "le",
    ...families.flatMap(({ labelNames }) => labelNames),
    ...readLabels,
  ]);
  expect(groups.length).toBeGreaterThan(2);
  expect(selectors.length).toBeGreaterThan(2);
  expect([...groups, ...selectors].filter((label) => !known.has(label))).toEqual([]);
});

test("probes of a load balancer count as requests neither for the alert nor on the board", () => {
  for (const text of [alerts, dashboard]) {
    const shares = matches(
      text,
      /(sum\(rate\(adjutant_http_request_duration_seconds_count[^)]*\[5m\]\)\))/g,
    );
    expect(shares.length).toBeGreaterThan(1);
    for (const share of shares) expect(share).toMatch(/route!=\\?"\/health\\?"/);
  }
});

test("the board shows everything that an alert goes by", () => {
  const shown = new Set(matches(dashboard, /\b((?:adjutant|nodejs|process)_[a-z0-9_]+)\b/g));
  const alerted = matches(alerts, /\b((?:adjutant|nodejs|process)_[a-z0-9_]+)\b/g);
  expect([...new Set(alerted)].filter((name) => !shown.has(name))).toEqual([]);
});

test("the admin's page and the alert speak of missing partitions at the same time", () => {
  expect(matches(alerts, /adjutant_log_partitions_ahead_seconds\) < (\d+)/g).map(Number)).toEqual([
    minAheadSeconds,
  ]);
});

test("each alert is played by promtool, where it must come", () => {
  const played = read("deploy/prometheus/alerts.test.yaml").split(
    /^ {6}- (?=eval_time|\{ eval_time)/m,
  );
  const comes = played.flatMap((each) =>
    each.includes("exp_annotations") ? matches(each, /alertname: (\w+)/g) : [],
  );
  expect([...new Set(comes)].sort()).toEqual(matches(alerts, /- alert: (\w+)/g).sort());
});

test("each alert names its own heading of the runbook, and each heading belongs to an alert", () => {
  const alertNames = matches(alerts, /- alert: (\w+)/g);
  const named = matches(alerts, /runbook: docs\/runbook\.md#(\w+)/g);
  expect(named).toEqual(alertNames.map((name) => name.toLowerCase()));
  expect(matches(runbook, /^### (\w+)$/gm).sort()).toEqual([...alertNames].sort());
});

test("each heading of the runbook says what it means, how to look and what to do", () => {
  const parts = runbook.split(/^### /m).slice(1);
  for (const part of parts)
    for (const heading of ["**Means.**", "**Look.**", "**Do.**"])
      expect([part.split("\n", 1)[0], part.includes(heading)]).toEqual([
        part.split("\n", 1)[0],
        true,
      ]);
});

test("each metric that the runbook names exists", () => {
  const named = matches(runbook, /\b((?:adjutant|nodejs|process)_[a-z0-9]+_[a-z0-9_]+)\b/g);
  expect(named.length).toBeGreaterThan(10);
  const known = new Set([...names, ...families.map(({ name }) => name)]);
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});

test("no metric of ours takes a label that Prometheus gives itself", () => {
  const taken = families.filter(({ labelNames }) =>
    labelNames.some((label) => label === "job" || label === "instance"),
  );
  expect(taken.map(({ name }) => name)).toEqual([]);
});
