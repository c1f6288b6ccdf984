import { expect, test } from "vitest";
import { visibleText } from "./visible-text";

test.each([
  ["https://client.test/cb?x=<b>&y='\"", "https://client.test/cb?x=<b>&y='\""],
  ["https://client.test/\u202Elive", "https://client.test/\\u{202E}live"],
  ["a\u200Bb\u0000c\nd", "a\\u{200B}b\\u{0}c\\u{A}d"],
  ["ünïcödé 🦊", "ünïcödé 🦊"],
])("PT-03: %j is shown as %j", (sent, shown) => {
  expect(visibleText(sent)).toBe(shown);
});
