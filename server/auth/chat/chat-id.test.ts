import { expect, test } from "vitest";
import { readJson } from "#server/rest/read-input";
import { chatIdOf } from "./provider";

const read = (text: string) => {
  const json = readJson(text);
  return chatIdOf("value" in json ? json.value : undefined, "id");
};

test.each([
  ['{"id":"1234567890123456789"}', 1_234_567_890_123_456_789n],
  ['{"id":1234567890123456789}', 1_234_567_890_123_456_789n],
  ['{"id":9007199254740993,"name":"x"}', 9_007_199_254_740_993n],
  ['{"id":9223372036854775807}', 9_223_372_036_854_775_807n],
  ['{"id":80351110224678912}', 80_351_110_224_678_912n],
  ['{"id":1}', 1n],
])("%s names its account with all digits", (text, id) => expect(read(text)).toBe(id));

test.each([
  "{}",
  "[]",
  "null",
  '"1234567890123456789"',
  '{"ID":"1"}',
  '{"id":null}',
  '{"id":true}',
  '{"id":{"id":"1"}}',
  '{"id":["1"]}',
  '{"id":""}',
  '{"id":"0"}',
  '{"id":0}',
  '{"id":-5}',
  '{"id":1.5}',
  '{"id":1e30}',
  '{"id":"0123"}',
  '{"id":" 123"}',
  '{"id":"0x10"}',
  '{"id":"١٢٣"}',
  '{"id":"9223372036854775808"}',
  '{"id":9223372036854775808}',
  '{"id":"99999999999999999999999"}',
])("%s names none", (text) => expect(read(text)).toBeUndefined());

test("what every object has is no field", () => {
  expect(chatIdOf({}, "constructor")).toBeUndefined();
});
