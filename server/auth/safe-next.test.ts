import { expect, test } from "vitest";
import { defaultPage, safeNext } from "./safe-next";

test.each([
  ["/"],
  ["/account/apps"],
  ["/developers/apps/3f2a?tab=secrets#danger"],
  ["/docs/api/get-user?q=a%20b"],
  ["/docs?q=%5C%0A"],
  ["/docs?next=//elsewhere.test"],
  ["/@somebody"],
])("%s is followed as it is", (next) => {
  expect(safeNext(next)).toBe(next);
});

test.each([
  [undefined],
  [null],
  [""],
  ["developers"],
  ["//elsewhere.test"],
  ["///elsewhere.test"],
  ["/\\elsewhere.test"],
  ["\\/elsewhere.test"],
  ["\\\\elsewhere.test"],
  ["/%5celsewhere.test"],
  ["/%5Celsewhere.test"],
  ["/%255celsewhere.test"],
  ["/%2felsewhere.test"],
  ["/%2Felsewhere.test"],
  ["/%252f%252felsewhere.test"],
  ["/%09/elsewhere.test"],
  ["/%0a/elsewhere.test"],
  ["/%0d%0aSet-Cookie:x=y"],
  ["/\t/elsewhere.test"],
  ["/\n/elsewhere.test"],
  ["/ /elsewhere.test"],
  [" //elsewhere.test"],
  ["\u0000//elsewhere.test"],
  ["/%00"],
  ["/%zz"],
  ["/./\\elsewhere.test"],
  ["/.//elsewhere.test"],
  ["/..//elsewhere.test"],
  ["/%2e%2e//elsewhere.test"],
  ["/a/..//elsewhere.test"],
  ["https:elsewhere.test"],
  ["https://elsewhere.test"],
  ["http:/elsewhere.test"],
  ["javascript:alert(1)"],
  ["JavaScript:alert(1)"],
  ["data:text/html,x"],
  ["@elsewhere.test"],
  [":80"],
  ["?next=/"],
  ["#"],
  ["/sign-in"],
  ["/sign-in?next=/sign-in"],
  ["/sign%2din"],
  ["/account/../sign-in/key"],
  ["/sign-out"],
  [`/${"a".repeat(3_000)}`],
])("%j leads to the default page (PT-05)", (next) => {
  expect(safeNext(next)).toBe(defaultPage);
});

test("a path that is not normalised is followed to where a browser would go", () => {
  expect(safeNext("/developers/../account")).toBe("/account");
});
