import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createMetrics, type Metrics } from "#server/platform/metrics";
import { countSentRows, createUnreadableWatch, rowsSchemaOf, unreadableCountsOf } from "./rows";

const list = rowsSchemaOf(z.object({ id: z.int(), name: z.string() }));
const row = { id: 1, name: "One" };

test("a row that cannot be read is left out, counted, and costs none of the others", () => {
  const rows = list.parse([row, { id: "2", name: "Two" }, null, { id: 3, name: "Three" }]);
  expect(rows).toEqual([row, { id: 3, name: "Three" }]);
  expect(countSentRows(rows)).toBe(4);
  expect(unreadableCountsOf(rows, list.parse([row]))).toEqual({ unreadable: 2 });
});

test("a list without fault counts nothing", () => {
  expect(unreadableCountsOf(list.parse([row]), list.parse([]))).toEqual({});
});

test("several rows of which none can be read are not the list that was asked for", () => {
  expect(list.safeParse([{ id: "1" }, { id: "2" }]).success).toBe(false);
  expect(list.parse([{ id: "1" }]).unreadable?.rows).toBe(1);
});

test.each([{}, null, "text", undefined])("%j is no list", (answer) => {
  expect(list.safeParse(answer).success).toBe(false);
});

test("what is said of an unreadable row names fields and kinds, and nothing that the game sent", () => {
  const keyed = rowsSchemaOf(z.record(z.string(), z.int()));
  const secret = "SecretSecret0123";
  const { unreadable } = keyed.parse([{ a: 1 }, { [secret]: secret }]);
  expect(unreadable?.why).toEqual(["? invalid_type"]);
});

const listOfIds = rowsSchemaOf(z.object({ id: z.int() }));
const rows = (readable: number, unreadable: number) =>
  listOfIds.parse([
    ...Array.from({ length: readable }, (_, id) => ({ id })),
    ...Array.from({ length: unreadable }, () => ({ id: "SecretSecret0123" })),
  ]);

let seconds = 0;
let warned: object[] = [];
let metrics: Metrics;
let watch: ReturnType<typeof createUnreadableWatch>;

beforeEach(() => {
  seconds = 0;
  warned = [];
  const log = { warn: (details: object) => void warned.push(details) };
  metrics = createMetrics();
  watch = createUnreadableWatch({ now: () => new Date(seconds * 1_000), log, metrics });
});

test("more than one unreadable row in a hundred is warned of, with counts and fields", () => {
  watch("faction/attacks", rows(98, 2));
  expect(warned).toEqual([
    { selection: "faction/attacks", rows: 100, unreadable: 2, why: expect.any(Array) },
  ]);
  expect(JSON.stringify(warned)).not.toContain("Secret");
});

test("one in a hundred is not", () => {
  watch("faction/attacks", rows(99, 1));
  expect(warned).toEqual([]);
});

test("a selection is warned of once in ten minutes, each for itself", () => {
  for (const at of [0, 30, 599]) {
    seconds = at;
    watch("faction/attacks", rows(5, 1));
  }
  expect(warned).toHaveLength(1);
  watch("torn/items", rows(5, 1));
  expect(warned).toHaveLength(2);
  seconds = 601;
  watch("faction/attacks", rows(5, 1));
  expect(warned).toHaveLength(3);
});

test("lists inside an answer are watched, and answers without one are let be", () => {
  watch("faction/crimes,basic", { factionId: 7001, crimes: rows(3, 1) });
  watch("key/info", { playerId: 1 });
  watch("market/pointsmarket", null);
  expect(warned).toHaveLength(1);
});

test("each row is counted, by what was asked for and whether it could be read", async () => {
  watch("faction/attacks", rows(98, 2));
  watch("torn/items", rows(5, 0));
  const { values } = await metrics.gameRows.get();
  expect(values.map(({ labels, value }) => [labels.selection, labels.outcome, value])).toEqual([
    ["faction/attacks", "read", 98],
    ["faction/attacks", "unreadable", 2],
    ["torn/items", "read", 5],
  ]);
});
