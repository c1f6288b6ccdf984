import { expect, test } from "vitest";
import { hasManyErrors } from "./applications-table";
import { curlToRepeat, formatMicros, formatShareOf } from "./describe-calls";

test.each([
  [null, "–"],
  [0, "0 ms"],
  [430, "0.4 ms"],
  [9_940, "9.9 ms"],
  [12_400, "12 ms"],
  [999_400, "999 ms"],
  [1_240_000, "1.2 s"],
] as const)("%s microseconds are %j", (micros, words) => {
  expect(formatMicros(micros)).toBe(words);
});

test("nothing of nothing is no share", () => {
  expect([formatShareOf(0, 0), formatShareOf(1, 40)]).toEqual(["0%", "2.5%"]);
});

test.each([
  [5, 1, false],
  [19, 19, false],
  [20, 1, false],
  [20, 2, true],
  [1_000, 60, true],
])("of %i calls %i errors: many is %s", (calls, errors, many) => {
  expect(hasManyErrors({ calls, errors })).toBe(many);
});

const baseUrl = "https://adjutant.test";

test("a failed call can be made again, with names where values stood and no token", () => {
  const call = { method: "POST", route: "/api/v1/faction/<int:faction_id>/banking", path: null };
  expect(curlToRepeat({ ...call, failure: { query: ["limit"], body: ["amount"] } }, baseUrl)).toBe(
    `curl -X POST "https://adjutant.test/api/v1/faction/<faction_id>/banking?limit=<limit>" \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"amount":"<amount>"}'`,
  );
});

test("a failed call is made again with the values of its path", () => {
  const call = { method: "GET", route: "/api/v1/user/<int:user_id>" };
  expect(curlToRepeat({ ...call, path: "/api/v1/user/4711", failure: null }, baseUrl)).toContain(
    `${baseUrl}/api/v1/user/4711"`,
  );
});

test("an address that does not exist is the one that was sent, with nothing in it that a shell acts upon", () => {
  const curl = curlToRepeat(
    { method: "GET", route: "unmatched", path: '/api/v1/$(id)"`', failure: null },
    baseUrl,
  );
  expect(curl).toContain('"https://adjutant.test/api/v1/%24(id)%22%60"');
});
