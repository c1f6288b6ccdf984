import superjson from "superjson";
import { expect, test } from "vitest";
import { transformer } from "./procedures";

const { deserialize } = transformer.input;
const annotated = (meta: object, json: unknown = {}) => ({ json, meta }) as never;
const many = (count: number, entry: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));

test("an input of a page is read as it was written", () => {
  const shared = ["identity"];
  for (const input of [
    null,
    undefined,
    "x",
    { a: undefined, b: [1, { c: undefined }] },
    { one: shared, other: shared },
  ])
    expect(deserialize(superjson.serialize(input))).toEqual(input);
});

test.each([
  ["thousands of values", { values: many(18_000, (index) => [`k${index}`, ["Date"]]) }],
  [
    "thousands of equal places",
    { referentialEqualities: { 0: Array.from({ length: 18_000 }, String) } },
  ],
  [
    "nested beyond any input",
    { values: Array.from({ length: 200 }).reduce((inner) => ["Date", { a: inner }], ["Date"]) },
  ],
  ["a set", { values: { 0: ["set"] } }],
  ["a map", { values: { 0: ["map"] } }],
  ["a class of our own", { values: { 0: [["class", "x"]] } }],
  ["a pattern", { values: { 0: ["regexp"] } }],
])("annotations with %s are refused before any is followed", (_what, meta) => {
  const touched: PropertyKey[] = [];
  const json = new Proxy({ 0: [] }, { get: (_, name) => touched.push(name) });
  expect(() => deserialize(annotated(meta, json))).toThrow("BAD_REQUEST");
  expect(touched).toEqual([]);
});

test("annotations that fit nothing are the caller's fault", () => {
  expect(() => deserialize(annotated({ values: { "0.__proto__.x": ["Date"] } }))).toThrow(
    expect.objectContaining({ code: "BAD_REQUEST" }),
  );
});
