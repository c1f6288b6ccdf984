import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { keepNativeDate } from "./keep-native-date";

test("what Next puts in the place of Date is taken away again", () => {
  const native = Date;
  const restore = keepNativeDate();
  createRequire(import.meta.url)("next/dist/server/node-environment-extensions/date");
  try {
    // Where this fails, Next does so no more, and the file beside this one can go.
    expect(Date).not.toBe(native);
  } finally {
    restore();
  }
  expect(Date).toBe(native);
  expect(new Date(0).constructor).toBe(native);
});
