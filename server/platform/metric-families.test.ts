import { type Metric, Registry } from "prom-client";
import { expect, test } from "vitest";
import { counter, type Family, gauge, histogram } from "./metric-families";

/** The text that prom-client makes of a family, without comments. */
async function textOf(family: Family): Promise<string[]> {
  const registry = new Registry();
  registry.registerMetric(family as unknown as Metric);
  return (await registry.metrics())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

test("a count without labels is told before its first step, one with labels after it", async () => {
  const plain = counter({ name: "plain_total", help: "-", labels: [] });
  const labelled = counter({ name: "labelled_total", help: "-", labels: ["a", "b"] });
  expect(await textOf(plain)).toEqual(["plain_total 0"]);
  expect(await textOf(labelled)).toEqual([]);
  plain.of().inc();
  labelled.of("x", "y").inc(2);
  labelled.of("x", "y").inc();
  expect(await textOf(plain)).toEqual(["plain_total 1"]);
  expect(await textOf(labelled)).toEqual(['labelled_total{a="x",b="y"} 3']);
});

test("the buckets of a histogram are sums, and each bound belongs to its own", async () => {
  const durations = histogram({ name: "d_seconds", help: "-", labels: ["what"], bounds: [0.1, 1] });
  const timing = durations.of("x");
  for (const seconds of [0.05, 0.1, 0.5, 1, 7]) timing.observe(seconds);
  expect(await textOf(durations)).toEqual([
    'd_seconds_bucket{what="x",le="0.1"} 2',
    'd_seconds_bucket{what="x",le="1"} 4',
    'd_seconds_bucket{what="x",le="+Inf"} 5',
    'd_seconds_sum{what="x"} 8.65',
    'd_seconds_count{what="x"} 5',
  ]);
});

test("a gauge that is cleared is not told until it is set again", async () => {
  const level = gauge({ name: "level", help: "-", labels: ["of"] });
  level.set(7, "x");
  expect(await textOf(level)).toEqual(['level{of="x"} 7']);
  level.clear();
  expect(await textOf(level)).toEqual([]);
});

test("however many values a label is given, a family stays bounded", async () => {
  const flood = counter({ name: "flood_total", help: "-", labels: ["who"] });
  for (let at = 0; at < 5_000; at++) flood.of(`caller ${at}`).inc();
  const lines = await textOf(flood);
  expect(lines.length).toBeLessThanOrEqual(2_001);
  expect(lines).toContain('flood_total{who="other"} 3000');
});
