import { describe, expect, test } from "vitest";
import { writeExact } from "#server/platform/exact-json";
import { readJson } from "./read-input";

const snowflake = 1_234_567_890_123_456_789n;

describe("reading", () => {
  test.each([
    ['{"a":1,"b":[true,null,"x"]}', { a: 1, b: [true, null, "x"] }],
    [`{"id":${snowflake}}`, { id: snowflake }],
    ['{"id":-9007199254740993}', { id: -9_007_199_254_740_993n }],
    [
      '{"a":9007199254740991,"long":"12345678901234567890"}',
      { a: 9_007_199_254_740_991, long: "12345678901234567890" },
    ],
    ['{"a":1.25,"b":12345678901234567.5}', { a: 1.25, b: Number("12345678901234567.5") }],
    ['{"a":1,"a":2,"n":12345678901234567890}', { a: 2, n: 12_345_678_901_234_567_890n }],
  ])("%s", (text, value) => expect(readJson(text)).toEqual({ value }));

  test.each([
    "",
    "{",
    "{'a':1}",
    '{"a":1,}',
    "NaN",
    "[1] 2",
    '{"a":01}',
    '{"n":12345678901234567890',
  ])("%j is not JSON", (text) => expect(readJson(text)).toEqual({ unreadable: "not JSON" }));

  test("neither prototype nor constructor can be reached (FZ-07)", () => {
    for (const digits of ["1", "12345678901234567890"]) {
      const read = readJson(
        `{"__proto__":{"amount":5,"n":${digits}},"constructor":{"prototype":{"amount":5}},"x":{"__proto__":[1]}}`,
      );
      const value = (read as { value: Record<string, unknown> }).value;
      expect(value.amount).toBeUndefined();
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value)).toEqual(["constructor", "x"]);
      expect(Object.getPrototypeOf(value.x)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).amount).toBeUndefined();
    }
  });

  test("depth is bounded before anything recurses", () => {
    expect(readJson("[".repeat(60_000))).toHaveProperty("unreadable");
    expect(readJson(`${"[".repeat(32)}${"]".repeat(32)}`)).toHaveProperty("value");
    expect(readJson(`${"[".repeat(33)}${"]".repeat(33)}`)).toHaveProperty("unreadable");
    expect(readJson(`{"text":"${"[".repeat(100)}\\"["}`)).toHaveProperty("value");
  });

  test.each(['{"a":"\\u0000"}', '{"a":["\\ud800"]}', '{"\\udc00":1}'])(
    "%s holds what no store can",
    (text) => expect(readJson(text)).toHaveProperty("unreadable"),
  );
  test("emoji, right-to-left and zero-width text stay as they are (FZ-09)", () => {
    expect(readJson('{"a":"😀\u200fא\u200b"}')).toEqual({ value: { a: "😀\u200fא\u200b" } });
  });
});

describe("writing", () => {
  test("integers keep all their digits", () => {
    expect(writeExact({ chat_id: snowflake, n: 5, list: [1, 2n] })).toBe(
      '{"chat_id":1234567890123456789,"n":5,"list":[1,2]}',
    );
  });
  test("all else is as JSON.stringify writes it", () => {
    const value = {
      a: 'quote " and \u2028',
      b: [],
      c: {},
      d: null,
      e: -0.5,
      f: false,
      g: undefined,
      h: [[{}]],
      "i\n": "",
    };
    expect(writeExact(value)).toBe(JSON.stringify(value));
  });
  test.each([Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol("x")])(
    "%s is refused, not changed",
    (value) => {
      expect(() => writeExact({ value })).toThrow();
    },
  );
  test("what was written is read back", () => {
    const value = { chat_id: snowflake, name: 'x"y', list: [1, null, { deep: "ü" }] };
    expect(readJson(writeExact(value))).toEqual({ value });
  });
});
