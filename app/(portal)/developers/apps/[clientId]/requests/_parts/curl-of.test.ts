import { expect, test } from "vitest";
import { curlOf } from "./curl-of";

const baseUrl = "https://adjutant.test";

test("a failed call can be made again, with names where values stood and no token", () => {
  const call = { method: "POST", route: "/api/v1/faction/<int:faction_id>/banking" };
  expect(curlOf({ ...call, failure: { query: ["limit"], body: ["amount"] } }, baseUrl)).toBe(
    `curl -X POST "https://adjutant.test/api/v1/faction/<faction_id>/banking?limit=<limit>" \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"amount":"<amount>"}'`,
  );
});

test("a failed call is made again with the values of its path", () => {
  const call = { method: "GET", route: "/api/v1/user/<int:user_id>" };
  expect(curlOf({ ...call, failure: { path: "/api/v1/user/4711" } }, baseUrl)).toContain(
    `${baseUrl}/api/v1/user/4711"`,
  );
});

test("an address that does not exist is the one that was sent, with nothing in it that a shell acts upon", () => {
  const curl = curlOf({ method: "GET", route: "unmatched", failure: { path: '/api/v1/$(id)"`' } }, baseUrl);
  expect(curl).toContain('"https://adjutant.test/api/v1/%24(id)%22%60"');
});
