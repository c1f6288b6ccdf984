import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { onLoopback } from "#server/testing/on-loopback";
import { untilClosed } from "#server/testing/raw-http";
import { testContext } from "#server/testing/test-context";
import { createFront, type FrontOptions } from "./create-front";

const rates = { holder: 250, peer: 100_000, client: 6_000, clientFailures: 20, pages: 1_000 };
const { ctx, clock } = await testContext({ database: await testDatabase(), settings: { rates } });
/** Exceeds the kernel's buffers for a client that does not read. */
const large = Buffer.alloc(24 * 1_024 * 1_024, "x");

/** Page responses that are not read yet. */
const underWay = new Set<ServerResponse>();
let most = 0;
let asked: string[] = [];
let answerPage: (response: ServerResponse) => void;
let close = () => {};
const sockets: Socket[] = [];

async function serve(limits: FrontOptions["limits"] = {}): Promise<number> {
  const server = createFront({
    ctx,
    limits,
    pages: async (request, response) => {
      asked.push(request.url ?? "");
      underWay.add(response);
      most = Math.max(most, underWay.size);
      response.once("close", () => underWay.delete(response));
      answerPage(response);
    },
  });
  return onLoopback(server, (end) => {
    close = end;
  });
}

beforeEach(() => {
  clock.advance(60);
  [asked, most] = [[], 0];
  answerPage = (response) => response.end("page");
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  close();
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Pipelines requests and reads nothing. */
async function sendAhead(port: number, text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  sockets.push(socket.on("error", () => {}));
  await once(socket, "connect");
  socket.write(text);
  return socket;
}
const statusOf = async (port: number, path = "/") =>
  (await fetch(`http://127.0.0.1:${port}${path}`)).status;

test("DS-01: requests that a connection sends ahead are answered in their order, one after the other", async () => {
  const port = await serve();
  const paths = Array.from({ length: 50 }, (_, n) =>
    n % 2 === 0 ? `/page/${n}` : `/api/v1/none/${n}`,
  );
  const socket = await sendAhead(port, paths.map(get).join(""));
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk.toString();
  });
  socket.resume();
  await expect.poll(() => said.match(/HTTP\/1\.1 \d+/g)).toHaveLength(50);
  expect(said.match(/HTTP\/1\.1 (200|404)/g)).toEqual(
    paths.map((_, n) => `HTTP/1.1 ${n % 2 === 0 ? 200 : 404}`),
  );
  expect([most, asked]).toEqual([1, paths.filter((_, n) => n % 2 === 0)]);
});

test("DS-01: a connection that sends ahead and does not read holds one answer, however much it asks for", async () => {
  // Without page limits, which would also delay others.
  const port = await serve({ ofAddress: 1_000, inAll: 1_000, rendered: 1_000 });
  answerPage = (response) => response.end(large);
  for (let connection = 0; connection < 5; connection++)
    await sendAhead(port, get("/large").repeat(60));
  await expect.poll(() => asked).toHaveLength(5);
  // Others are served meanwhile, and no second answer starts.
  for (let call = 0; call < 20; call++) expect(await statusOf(port, "/api/v1/user")).toBe(401);
  expect([asked.length, underWay.size]).toEqual([5, 5]);
});

test("DS-01: a connection that sends more ahead than any client does is cut", async () => {
  const port = await serve();
  answerPage = () => {};
  const socket = await sendAhead(port, get("/never").repeat(1_000));
  socket.resume();
  await untilClosed(socket);
  expect(asked).toHaveLength(1);
});

test("DS-01: what all connections send ahead is bounded: the one that sends more is cut, and room comes back when others end", async () => {
  const port = await serve({ mostWaitingInAll: 10 });
  answerPage = () => {};
  const ahead = () => sendAhead(port, get("/never").repeat(9));
  const first = await ahead();
  await expect.poll(() => asked).toHaveLength(1);
  const second = await ahead();
  second.resume();
  await untilClosed(second);
  first.destroy();
  await expect.poll(() => underWay.size).toBe(0);
  answerPage = (response) => response.end("page");
  for (let connection = 0; connection < 3; connection++) {
    const served = await sendAhead(port, get("/one") + get("/two").repeat(9) + get("/last"));
    served.resume();
    await expect.poll(() => asked.filter((path) => path === "/last")).toHaveLength(connection + 1);
    served.destroy();
  }
});

test("DS-01: what was sent behind an answer that ends the connection is not carried out", async () => {
  const port = await serve();
  answerPage = (response) => response.setHeader("Connection", "close").end("the last");
  const socket = await sendAhead(port, get("/one") + get("/two"));
  socket.resume();
  await untilClosed(socket);
  expect(asked).toEqual(["/one"]);
});

test("DS-01: a client that takes nothing of its answer is cut; one whose answer is not there yet is not", async () => {
  const port = await serve({ silence: 100 });
  const waiting = await sendAhead(port, get("/waits"));
  answerPage = () => {};
  await expect.poll(() => asked).toEqual(["/waits"]);
  const [first] = underWay;
  answerPage = (response) => response.end(large);
  await sendAhead(port, get("/large"));
  // The client may be cut before the check.
  await expect.poll(() => most).toBe(2);
  await expect.poll(() => [...underWay]).toEqual([first]);
  first?.end("late");
  waiting.resume();
  const [said] = (await once(waiting, "data")) as [Buffer];
  expect(said.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test("DS-01: a client that takes its answer a little at a time is cut when its turn has lasted too long", async () => {
  const port = await serve({ longestTurn: 500, connectionsCheckingInterval: 50 });
  answerPage = (response) => response.end(large);
  const socket = await sendAhead(port, get("/large"));
  const drip = setInterval(() => socket.read(1_000), 20);
  await expect.poll(() => asked).toHaveLength(1);
  await expect.poll(() => underWay.size).toBe(0);
  clearInterval(drip);
});

test("pages of one address that nobody has taken yet are bounded; other addresses and the API are not held up", async () => {
  const port = await serve({ ofAddress: 3, rendered: 10 });
  answerPage = (response) =>
    response.req.url === "/large" ? response.end(large) : response.end("page");
  for (let connection = 0; connection < 3; connection++) await sendAhead(port, get("/large"));
  await expect.poll(() => underWay.size).toBe(3);
  const refused = await fetch(`http://127.0.0.1:${port}/`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(refused.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await refused.text()).toBe(
    "Too many pages are opened at once. Wait 2 seconds, then load this page again.\n",
  );
  expect(await (await fetch(`http://127.0.0.1:${port}/api/trpc/x`)).json()).toMatchObject({
    code: 5003,
  });
  expect(await statusOf(port, "/api/v1/user")).toBe(401);
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(() => statusOf(port)).toBe(200);
});

test("an address opens so many pages a minute; then a sentence says how long to wait", async () => {
  const port = await serve();
  for (let page = 0; page < rates.pages; page++)
    await ctx.limiter.take({ policy: "pages", subject: "127.0.0.1", limit: rates.pages });
  const refused = await fetch(`http://127.0.0.1:${port}/`);
  expect([refused.status, refused.headers.get("retry-after"), asked]).toEqual([429, "50", []]);
  expect(await refused.text()).toMatch(/Wait 50 seconds/);
  expect(await (await fetch(`http://127.0.0.1:${port}/api/trpc/x`)).json()).toMatchObject({
    code: 4000,
  });
  expect(await statusOf(port, "/api/v1/user")).toBe(401);
  clock.advance(60);
  expect(await statusOf(port)).toBe(200);
});

test("few pages are rendered at a time; one that its reader holds up, or that waits for others, gives its place on", async () => {
  const port = await serve({ rendered: 1, longestRendering: 1_500 });
  answerPage = (response) => response.write(large);
  await sendAhead(port, get("/stalls"));
  await expect.poll(() => underWay.size).toBe(1);
  answerPage = () => {};
  await sendAhead(port, get("/waits"));
  await expect.poll(() => asked).toEqual(["/stalls", "/waits"]);
  const gone = await sendAhead(port, get("/gone"));
  gone.destroy();
  answerPage = (response) => response.end("page");
  expect(await statusOf(port, "/served")).toBe(200);
  expect(asked).toEqual(["/stalls", "/waits", "/served"]);
  expect(await Promise.all(Array.from({ length: 20 }, () => statusOf(port, "/served")))).toEqual(
    Array(20).fill(200),
  );
});
