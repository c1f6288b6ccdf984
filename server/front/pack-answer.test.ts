import { createServer, type IncomingHttpHeaders, type RequestListener, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { onLoopback } from "#server/testing/on-loopback";
import { compressResponse } from "./compression";

const page = `<p>${"Players choose what each application may see and do. ".repeat(200)}</p>`;

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Against a server with this listener, with compressed answers. */
async function ask(
  listener: RequestListener,
  accepted = "gzip, deflate, br",
  method = "GET",
): Promise<Got> {
  const server = createServer((asked, response) => {
    compressResponse(asked, response);
    listener(asked, response);
  });
  const port = await onLoopback(server, onTestFinished);
  return new Promise((resolve, reject) => {
    request({ port, method, headers: { "accept-encoding": accepted } }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      buffer(answer).then((body) => resolve({ status, headers, body }), reject);
    })
      .once("error", reject)
      .end();
  });
}

const text = ({ headers, body }: Got): string => {
  if (headers["content-encoding"] === "br") return brotliDecompressSync(body).toString();
  return (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
};

const html: RequestListener = (_asked, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.flushHeaders();
  response.write(page.slice(0, 100));
  response.write(Buffer.from(page.slice(100)));
  response.end();
};

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
])(
  "%s: a page that comes at once is one packed piece of known length",
  async (accepted, coding) => {
    const got = await ask(html, accepted);
    expect(got.headers).toMatchObject({ "content-encoding": coding, vary: "Accept-Encoding" });
    expect(got.headers["content-length"]).toBe(String(got.body.length));
    expect(text(got)).toBe(page);
    expect(got.body.length).toBeLessThan(page.length / 10);
  },
);

test.each(["identity", "deflate", ""])(
  "%j: who takes neither coding gets it plain",
  async (accepted) => {
    const got = await ask(html, accepted);
    expect(got.headers["content-encoding"]).toBeUndefined();
    expect(text(got)).toBe(page);
  },
);

test("what lies behind packs nothing a second time", async () => {
  const seen: unknown[] = [];
  await ask((asked, response) => {
    seen.push(asked.headers["accept-encoding"]);
    response.end();
  });
  expect(seen).toEqual([undefined]);
});

test.each(["br", "gzip"])(
  "%s: of a page that takes longer its reader has the beginning at once",
  async (coding) => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const server = createServer(async (asked, response) => {
      compressResponse(asked, response);
      response.setHeader("content-type", "text/html");
      response.write(page);
      // The rest follows only after the reader saw the beginning.
      await begun;
      response.write("<p>The rest.</p>");
      response.end("<p>The end.</p>");
    });
    const port = await onLoopback(server, onTestFinished);
    const body = await new Promise<Buffer>((resolve, reject) => {
      request({ port, headers: { "accept-encoding": coding } }, (answer) => {
        answer.once("data", () => begin());
        expect(answer.headers["content-encoding"]).toBe(coding);
        buffer(answer).then(resolve, reject);
      }).end();
    });
    expect((coding === "br" ? brotliDecompressSync(body) : gunzipSync(body)).toString()).toBe(
      `${page}<p>The rest.</p><p>The end.</p>`,
    );
  },
);

test("a long answer is packed as it is taken: a writer waits for a slow reader", async () => {
  const part = Buffer.alloc(64 * 1_024);
  for (let at = 0; at < part.length; at++) part[at] = (at * 7_919 + (at >> 3) * 104_729) & 0xff;
  const parts = 200;
  let waits = 0;
  const got = await ask(async (_asked, response) => {
    response.setHeader("content-type", "text/csv");
    response.setHeader("content-length", part.length * parts);
    for (let sent = 0; sent < parts; sent++)
      if (!response.write(part)) {
        waits += 1;
        await new Promise((resolve) => response.once("drain", resolve));
      }
    response.end();
  });
  expect(got.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(got.body).length).toBe(part.length * parts);
  expect(waits).toBeGreaterThan(0);
});

test("a long answer that comes in one piece is packed", async () => {
  const long = page.repeat(60);
  const got = await ask((_asked, response) =>
    response.setHeader("content-type", "text/html").end(long),
  );
  expect(got.headers["content-encoding"]).toBe("br");
  expect(text(got)).toBe(long);
});

test.each<[string, RequestListener]>([
  [
    "is short",
    (_asked, response) => response.setHeader("content-type", "text/html").end("<p>Short.</p>"),
  ],
  ["has no body", (_asked, response) => response.writeHead(304).end()],
  [
    "is a picture",
    (_asked, response) => response.setHeader("content-type", "image/png").end(Buffer.alloc(5_000)),
  ],
  [
    "was packed",
    (_asked, response) => response.setHeader("content-encoding", "zstd").end(Buffer.alloc(5_000)),
  ],
  [
    "has its headers written",
    (_asked, response) => response.writeHead(200, { "content-type": "text/html" }).end(page),
  ],
])("what %s stays as it is", async (_why, listener) => {
  const plain = await ask(listener, "identity");
  const got = await ask(listener);
  expect(got.body).toEqual(plain.body);
  expect({ ...got.headers, date: "" }).toEqual({ ...plain.headers, date: "" });
});

test.each([page, page.repeat(60)])("who ends it is called back when it was sent", async (body) => {
  const told: string[] = [];
  const got = await ask((_asked, response) => {
    response.setHeader("content-type", "text/html").end(body, () => told.push("sent"));
  });
  expect(text(got)).toBe(body);
  await expect.poll(() => told).toEqual(["sent"]);
});

test("HEAD has no body and names no coding", async () => {
  const got = await ask(html, "br", "HEAD");
  expect([got.status, got.body.length, got.headers["content-encoding"]]).toEqual([
    200,
    0,
    undefined,
  ]);
});

test("a reader that leaves while the page waits leaves nothing behind", async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const server = createServer((asked, response) => {
    compressResponse(asked, response);
    response.once("close", close);
    response.setHeader("content-type", "text/html").write(page);
    setTimeout(() => sent.destroy(), 5);
  });
  const port = await onLoopback(server, onTestFinished);
  const sent = request({ port, headers: { "accept-encoding": "br" } });
  sent.once("error", () => {});
  sent.end();
  await closed;
  // It is sent meanwhile; an error there would fail the run.
  await wait(50);
});
