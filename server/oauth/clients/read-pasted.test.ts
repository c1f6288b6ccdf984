import { expect, test } from "vitest";
import { readPasted, readRequestId } from "./read-pasted";

const address = "https://adjutant.test/oauth/authorize";

test.each([
  `${address}?client_id=a&scope=identity`,
  `  ${address}?client_id=a&scope=identity#part `,
  `curl '${address}?client_id=a&scope=identity' -H 'Accept: text/html'`,
  `curl -sS "${address}?client_id=a&scope=identity"`,
  `curl $'${address}?client_id=a&scope=identity' \\\n  -H 'accept: */*?'`,
  `$ open ${address}?client_id=a&scope=identity`,
])("the address is found in %j", (text) => {
  const found = readPasted(text);
  expect([found?.address, found?.parameters.toString()]).toEqual([
    address,
    "client_id=a&scope=identity",
  ]);
});

test("a query alone has no address", () => {
  expect(readPasted("?client_id=a")?.address).toBe("");
});

test.each(["", "hello", address, "curl -X POST"])("there is none in %j", (text) => {
  expect(readPasted(text)).toBeUndefined();
});

test.each([
  ["1vwfT0FyYk7i57R4OLCIaq", "1vwfT0FyYk7i57R4OLCIaq"],
  [" 1vwfT0FyYk7i57R4OLCIaq\n", "1vwfT0FyYk7i57R4OLCIaq"],
  ["X-Request-Id: 1vwfT0FyYk7i57R4OLCIaq", "1vwfT0FyYk7i57R4OLCIaq"],
  ["HTTP/1.1 401\r\nx-request-id: 1vwfT0FyYk7i57R4OLCIaq\r\n\r\n{}", "1vwfT0FyYk7i57R4OLCIaq"],
  [`{"status":403,"x-request-id":"1vwfT0FyYk7i57R4OLCIaq"}`, "1vwfT0FyYk7i57R4OLCIaq"],
  ["X-Request-Id: short", undefined],
  ["https://client.test/?x=1", undefined],
])("of %j the request id is %s", (text, id) => {
  expect(readRequestId(text)).toBe(id);
});
