import { createHook } from "node:async_hooks";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { endpointNetwork } from "#server/testing/endpoint-network";
import { plainAnswer, rawReceiver } from "#server/testing/raw-receiver";

const { dns, receiver, send } = await endpointNetwork();

beforeEach(() => {
  dns.answer(() => ["127.0.0.1"]);
});

const ok = "HTTP/1.1 200 OK\r\n";
const bomb = gzipSync(Buffer.alloc(50_000_000));

/** As fast as possible until the connection is cut. */
function flood(socket: Socket, piece: Buffer): void {
  const write = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

/** Too slow to finish, too fast for a time-out between two pieces. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 10);
  socket.once("close", () => clearInterval(timer));
}

describe("an answer that does not come to a status in time", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["says nothing", () => {}],
    [
      "drips the status line",
      (socket) => drip(socket.write("HTTP/1.1 200 ") ? socket : socket, "O"),
    ],
    ["drips headers", (socket) => drip(socket.write(ok) ? socket : socket, "a")],
    ["drips interim answers", (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["drips empty lines", (socket) => drip(socket, "\r\n")],
  ])("a receiver that %s ends at the limit of the whole attempt", async (_what, behave) => {
    receiver.behave(behave);
    const attempt = await send({}, { limits: { total: 400 } });
    expect(attempt).toMatchObject({ failure: "timeout", code: null });
    expect(attempt.phases.total).toBeGreaterThanOrEqual(400);
    await receiver.idle();
  });

  test("an answer that comes after the limit is no answer: the connection is gone", async () => {
    const answered = new Promise<boolean>((resolve) => {
      receiver.behave((socket) =>
        socket.once("close", () => resolve(socket.writable && socket.write(plainAnswer))),
      );
    });
    expect(await send({}, { limits: { total: 300 } })).toMatchObject({ failure: "timeout" });
    expect(await answered).toBe(false);
  });
});

test("an answer that arrived in time counts, though this process was too busy to read it", async () => {
  const begun = performance.now();
  receiver.behave((socket) => {
    socket.end(plainAnswer);
    while (performance.now() - begun < 1_200);
  });
  expect(await send({}, { limits: { total: 1_000 } })).toMatchObject({ status: 200 });
});

describe("an answer without end", () => {
  test.each([
    [
      "50 MB",
      Buffer.concat([
        Buffer.from(`${ok}Content-Length: 50000000\r\n\r\n`),
        Buffer.alloc(60_000, "x"),
      ]),
    ],
    ["a body without an end", Buffer.concat([Buffer.from(`${ok}\r\n`), Buffer.alloc(60_000, "x")])],
  ])("of %s no more than 4 kB is read, and the connection is cut", async (_what, start) => {
    let sent: Socket | undefined;
    receiver.behave((socket) => {
      sent = socket;
      socket.write(start);
      flood(socket, Buffer.alloc(60_000, "x"));
    });
    expect(await send()).toMatchObject({ status: 200, excerpt: "x".repeat(512) });
    await receiver.idle();
    // The sender did not read bytes left in system buffers.
    expect(sent?.bytesWritten).toBeLessThan(20_000_000);
  });

  test("for a body that goes on after 4 kB nobody waits", async () => {
    receiver.behave((socket) =>
      socket.write(`${ok}Content-Length: 9999\r\n\r\n${"x".repeat(4_096)}`),
    );
    expect(await send({}, { limits: { body: 600_000, total: 600_000 } })).toMatchObject({
      status: 200,
    });
  });

  test("nothing is shown of a packed body", async () => {
    receiver.behave((socket) =>
      socket.end(`${ok}Content-Encoding: br\r\nContent-Length: 3\r\n\r\nabc`),
    );
    expect(await send()).toMatchObject({ status: 200, excerpt: "" });
  });

  test("a packed body is not unpacked", async () => {
    const head = `${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    receiver.behave((socket) => socket.end(Buffer.concat([Buffer.from(head), bomb])));
    let unpackers = 0;
    const watch = createHook({
      init: (_id, type) => void (type === "ZLIB" && unpackers++),
    }).enable();
    onTestFinished(() => void watch.disable());
    expect(await send()).toMatchObject({ status: 200, excerpt: "" });
    expect(unpackers).toBe(0);
  });

  test("a body that drips counts as read after two seconds: its status is what counts", async () => {
    receiver.behave((socket) =>
      drip(socket.write(`${ok}Content-Length: 999\r\n\r\n`) ? socket : socket, "z"),
    );
    const attempt = await send({}, { limits: { body: 100 } });
    expect(attempt).toMatchObject({ status: 200, excerpt: expect.stringMatching(/^z*$/) });
    expect(attempt.phases.total).toBeLessThan(15_000);
    await receiver.idle();
  });

  test("a body that ends early takes nothing from its status", async () => {
    receiver.behave((socket) => socket.end(`${ok}Content-Length: 999\r\n\r\nshort`));
    expect(await send()).toMatchObject({ status: 200, excerpt: "short" });
  });

  test.each([
    ["headers of more than 16 kB", `${ok}a: ${"x".repeat(17_000)}\r\n\r\n`],
    ["hundreds of headers", `${ok}${"abcdefgh: ijklmnop\r\n".repeat(1_900)}\r\n`],
    [
      "an interim answer of more than 16 kB",
      `HTTP/1.1 103 Hints\r\na: ${"x".repeat(17_000)}\r\n\r\n`,
    ],
  ])("%s are too large", async (_what, answer) => {
    receiver.behave((socket) => socket.end(answer));
    expect(await send()).toMatchObject({ failure: "too-large", code: "HPE_HEADER_OVERFLOW" });
  });

  test.each([
    ["interim answers", "HTTP/1.1 103 Early Hints\r\n\r\n"],
    ["empty lines", "\r\n"],
  ])("a flood of %s before the status ends with its first 64 kB", async (_what, piece) => {
    let sent: Socket | undefined;
    receiver.behave((socket) => {
      sent = socket;
      flood(socket, Buffer.from(piece.repeat(1_000)));
    });
    expect(await send()).toMatchObject({ failure: "too-large" });
    await receiver.idle();
    expect(sent?.bytesWritten).toBeLessThan(20_000_000);
  });

  test("a flood of chunk extensions after the status ends with its first 64 kB", async () => {
    receiver.behave((socket) => {
      socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n1;a=`);
      flood(socket, Buffer.alloc(60_000, "b"));
    });
    expect(await send()).toMatchObject({ status: 200, excerpt: "" });
    await receiver.idle();
  });

  test("headers of 15 kB are read", async () => {
    receiver.behave((socket) =>
      socket.end(`${ok}a: ${"x".repeat(15_000)}\r\nContent-Length: 2\r\n\r\nok`),
    );
    expect(await send()).toMatchObject({ status: 200, excerpt: "ok" });
  });
});

describe("an answer that leads elsewhere", () => {
  test.each([301, 302, 303, 307, 308])("%i is told as it is, and not followed", async (status) => {
    const other = await rawReceiver();
    const location = `http://127.0.0.1:${other.port}/`;
    receiver.behave((socket) =>
      socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(await send()).toMatchObject({ status });
    expect(receiver.connections()).toBe(1);
    expect(other.connections()).toBe(0);
  });

  test("a switch to another protocol is not taken", async () => {
    const head =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    receiver.behave((socket) => socket.write(head));
    expect(await send()).toMatchObject({ failure: "invalid-answer" });
    await receiver.idle();
  });

  test("a connection that the receiver would keep is closed", async () => {
    receiver.behave((socket) =>
      socket.write(`${ok}Connection: keep-alive\r\nContent-Length: 2\r\n\r\nok`),
    );
    expect(await send()).toMatchObject({ status: 200, excerpt: "ok" });
    await receiver.idle();
    await send();
    expect(receiver.connections()).toBe(2);
  });
});

describe("an answer that is none", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["closes without a word", (socket) => socket.end()],
    ["closes in the status line", (socket) => socket.end("HTTP/1.1 2")],
    ["closes amid its headers", (socket) => socket.end(`${ok}Content-Le`)],
    ["closes after an interim answer", (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["resets the connection", (socket) => socket.destroy()],
  ])("a receiver that %s loses the connection", async (_what, behave) => {
    receiver.behave(behave);
    expect(await send()).toMatchObject({ failure: "connection-lost" });
  });

  test.each([
    ["SSH-2.0-OpenSSH_9.6\r\n"],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["HTTP/1.1 abc OK\r\n\r\n"],
    ["HTTP/1.1 20 OK\r\n\r\n"],
    [`${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    [`${ok}a\u0000b: c\r\n\r\n`],
    [`${ok}Content-Length: -2\r\n\r\n`],
  ])("%j is no HTTP/1.1", async (answer) => {
    receiver.behave((socket) => socket.end(answer));
    expect(await send()).toMatchObject({
      failure: "invalid-answer",
      code: expect.stringMatching(/^HPE_/),
    });
  });

  test("a second answer behind the first is not read", async () => {
    receiver.behave((socket) =>
      socket.end(`${plainAnswer}HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(await send()).toMatchObject({ status: 200, excerpt: "ok" });
  });
});

test.each([
  ["words and line breaks", "a\r\n\tb  c", "a b c"],
  ["letters of all scripts", "Größe 受け 🏦", "Größe 受け 🏦"],
  ["control characters", "a\u0000b\u001b[31mc\u0007", "ab[31mc"],
  ["marks that reverse text, and invisible ones", "a\u202eb\u2066c\u200bd\ufeff", "abcd"],
  ["bytes that are no text", Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x62]), "ab"],
  ["more than 512 characters", "🏦".repeat(600), "🏦".repeat(512)],
])("what is shown of %s is printable", async (_what, body, excerpt) => {
  const bytes = Buffer.from(body);
  receiver.behave((socket) =>
    socket.end(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 500 No\r\nContent-Length: ${bytes.length}\r\n\r\n`),
        bytes,
      ]),
    ),
  );
  expect(await send()).toMatchObject({ status: 500, excerpt });
});
