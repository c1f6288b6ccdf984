import { afterAll, expect, test } from "vitest";
import { createFront } from "#server/front/create-front";
import { chainListWorld } from "#server/testing/chain-list-world";
import { onLoopback } from "#server/testing/on-loopback";
import { sendRaw } from "#server/testing/raw-http";

const { world } = await chainListWorld();
const server = createFront({ ctx: world.ctx, pages: async () => {} });
const port = await onLoopback(server, afterAll);

const head =
  "POST /api/v1/stat/chain-list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer mine\r\nConnection: close\r\n";
const json = "Content-Type: application/json\r\n";
const form = "Content-Type: application/x-www-form-urlencoded\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";

test.each([
  ["no body and no word of one", "", ""],
  ["a type alone", json, ""],
  ["the type of a form alone", form, ""],
  ["a length of 0", "Content-Length: 0\r\n", ""],
  ["a length of 0 and a type", `Content-Length: 0\r\n${json}`, ""],
  ["a length of 0 and the type of a form", `Content-Length: 0\r\n${form}`, ""],
  ["a length of 00", "Content-Length: 00\r\n", ""],
  ["no chunks", chunked, "0\r\n\r\n"],
  ["no chunks and a type", chunked + json, "0\r\n\r\n"],
  ["no chunks and a coding", `${chunked}Content-Encoding: gzip\r\n`, "0\r\n\r\n"],
])("%s is an empty body: the chain list by its defaults", async (_, headers, body) => {
  const said = await sendRaw(port, `${head}${headers}\r\n${body}`);
  expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(said).toMatch(/\r\n\r\n\[\]$/);
});

test.each([
  ["in chunks without a type", chunked, "2\r\n{}\r\n0\r\n\r\n", 415],
  ["in chunks with the type of a form", chunked + form, "3\r\na=1\r\n0\r\n\r\n", 415],
  [
    "in chunks that are packed",
    `${chunked}${json}Content-Encoding: gzip\r\n`,
    "2\r\n{}\r\n0\r\n\r\n",
    415,
  ],
  ["of a length without a type", "Content-Length: 2\r\n", "{}", 415],
  ["in chunks of JSON", chunked + json, "2\r\n{}\r\n0\r\n\r\n", 200],
  [
    "of JSON that is larger than it may be",
    `Content-Length: 70000\r\n${json}`,
    `"${"x".repeat(69_998)}"`,
    413,
  ],
  ["in chunks of another type that never end", chunked, `10000\r\n${"x".repeat(65_536)}\r\n`, 415],
  [
    "in chunks that are more than it may be",
    chunked + json,
    `20000\r\n"${"x".repeat(131_070)}"\r\n0\r\n\r\n`,
    413,
  ],
])("a body %s is looked at: %s", async (_, headers, body, status) => {
  const said = await sendRaw(port, `${head}${headers}\r\n${body}`);
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
