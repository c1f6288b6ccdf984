import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { responseHeaders } from "./respond";

test("what an answer says of itself wins over what all answers say", () => {
  expect(
    responseHeaders(true, "abc", undefined, { "Cache-Control": "private, max-age=5", ETag: '"x"' }),
  ).toMatchObject({
    "Content-Type": "application/json",
    "Cache-Control": "private, max-age=5",
    ETag: '"x"',
    "X-Request-Id": "abc",
    "Strict-Transport-Security": expect.stringContaining("max-age="),
  });
});

test("the headers of all answers of a kind share one hidden class", () => {
  setFlagsFromString("--allow-natives-syntax");
  const haveSameMap: (one: object, other: object) => boolean = runInNewContext(
    "(a, b) => %HaveSameMap(a, b)",
  );
  const made = Array.from({ length: 2_000 }, (_, at) =>
    responseHeaders(
      false,
      `request ${at}`,
      { "X-RateLimit-Remaining": String(at) },
      { ETag: `"${at}"` },
    ),
  );
  const [one, other] = made.slice(-2);
  expect(haveSameMap(one ?? {}, other ?? {})).toBe(true);
});
