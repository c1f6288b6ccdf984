import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { keepNativeDate } from "./next-patches";

const require = createRequire(import.meta.url);
const replacing = require.resolve("next/dist/server/node-environment-extensions/date");

test("what Next puts in the place of Date is taken away again", () => {
  const native = Date;
  const restore = keepNativeDate();
  // Another file of this process may have loaded it already.
  delete require.cache[replacing];
  require(replacing);
  const replaced = Date;
  restore();
  // Where this fails, Next does so no more, and the file beside this one can go.
  expect(replaced).not.toBe(native);
  expect(Date).toBe(native);
  expect(new Date(0).constructor).toBe(native);
});
