import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { passOn } from "./pages-process";

const folder = mkdtempSync(path.join(tmpdir(), "adjutant-pass-on-"));
const socket = path.join(folder, "socket");
const asked: IncomingMessage[] = [];
let answer: RequestListener;
let isUp = true;

const there = createServer((request, response) => {
  asked.push(request);
  answer(request, response);
});
const handle = passOn(
  () => (isUp ? socket : undefined),
  (_request, response) => response.writeHead(503).end("refused"),
);
const front = createServer((request, response) => void handle(request, response));

beforeAll(async () => {
  there.listen(socket);
  front.listen(0, "127.0.0.1");
  await Promise.all([once(there, "listening"), once(front, "listening")]);
});
beforeEach(() => {
  asked.length = 0;
  isUp = true;
  answer = (_request, response) => response.end("page");
});
afterAll(() => {
  for (const server of [front, there]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

const port = () => (front.address() as AddressInfo).port;
const ask = (at: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${port()}${at}`, { redirect: "manual", ...init });

test("a request goes on as it came, but for what concerns its connection", async () => {
  let body = "";
  answer = async (request, response) => {
    for await (const part of request) body += part;
    response.end();
  };
  await new Promise((resolve) =>
    httpRequest({ port: port(), path: "/form?a=b%20c", method: "POST", agent: false }, resolve)
      .setHeader("host", "portal.test")
      .setHeader("connection", "close, x-one")
      .setHeader("cookie", "a=1; b=2")
      .setHeader("content-length", "3")
      .end("x=y"),
  );
  expect([asked[0]?.method, asked[0]?.url, body]).toEqual(["POST", "/form?a=b%20c", "x=y"]);
  expect(asked[0]?.headers).toMatchObject({
    host: "portal.test",
    cookie: "a=1; b=2",
    connection: "keep-alive",
  });
});

test("an answer comes back with its status, each of its cookies and its body", async () => {
  answer = (_request, response) =>
    response
      .writeHead(303, { location: "/next", "set-cookie": ["a=1", "b=2"], "x-own": "y" })
      .end("body");
  const said = await ask("/");
  const { status, headers } = said;
  expect([status, headers.get("location"), headers.get("x-own")]).toEqual([303, "/next", "y"]);
  expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await said.text()).toBe("body");
});

test("HEAD and 304 have no body", async () => {
  answer = (request, response) =>
    response.writeHead(request.url === "/same" ? 304 : 200, { etag: '"x"' }).end();
  expect([(await ask("/", { method: "HEAD" })).status, (await ask("/same")).status]).toEqual([
    200, 304,
  ]);
});

test("connections are kept: pages asked for one after the other come over one", async () => {
  for (let page = 0; page < 5; page++) await (await ask("/")).text();
  expect(new Set(asked.map((request) => request.socket)).size).toBe(1);
});

test("while nobody listens, or who listened ends before the answer, it is refused; one that has begun is cut", async () => {
  isUp = false;
  expect([(await ask("/")).status, asked.length]).toEqual([503, 0]);
  isUp = true;
  answer = (request) => request.socket.destroy();
  const refused = await ask("/");
  expect([refused.status, await refused.text()]).toEqual([503, "refused"]);
  answer = (request, response) => response.write("half", () => request.socket.destroy());
  await expect((await ask("/")).text()).rejects.toThrow();
  answer = (_request, response) => response.end("page");
  expect(await (await ask("/")).text()).toBe("page");
});

test("a reader who leaves is left by the page too", async () => {
  const left = new Promise((resolve) => {
    answer = (_request, response) => void response.once("close", resolve).write("half");
  });
  const reader = connect(port(), "127.0.0.1", () =>
    reader.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  );
  await once(reader, "data");
  reader.destroy();
  await left;
});
