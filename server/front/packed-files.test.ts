import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { onLoopback } from "#server/testing/on-loopback";
import { createPackedFileHandler } from "./compression";

const script = "console.log('packed');".repeat(100);
const folder = mkdtempSync(path.join(tmpdir(), "adjutant-packed-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, "chunks"));
writeFileSync(path.join(folder, "chunks", "a1.js"), script);
writeFileSync(path.join(folder, "chunks", "a1.js.br"), brotliCompressSync(script));
const packed = createPackedFileHandler(folder);
const server = createServer((request, response) => {
  if (!packed(request, response, request.url ?? "")) response.end("not packed");
});
const port = await onLoopback(server, afterAll);

function ask(url: string, headers: Record<string, string>, method = "GET") {
  return new Promise<{ headers: IncomingMessage["headers"]; body: Buffer }>((resolve, reject) => {
    const sent = httpRequest(
      { port, host: "127.0.0.1", path: url, method, headers, agent: false },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part) => parts.push(part));
        answer.once("end", () => resolve({ headers: answer.headers, body: Buffer.concat(parts) }));
      },
    );
    sent.once("error", reject).end();
  });
}

test("a browser gets the file that the build packed, to be kept for ever", async () => {
  const { headers, body } = await ask("/_next/static/chunks/a1.js", {
    "accept-encoding": "gzip, deflate, br, zstd",
  });
  expect(headers).toMatchObject({
    "content-encoding": "br",
    "content-type": "application/javascript; charset=UTF-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(brotliDecompressSync(body).toString()).toBe(script);
});

test.each(["gzip", "identity", "br;q=0", "br;q=0.0, gzip", "brotli", ""])(
  "a client that accepts '%s' is left to the pages",
  async (accepted) => {
    const { body } = await ask("/_next/static/chunks/a1.js", { "accept-encoding": accepted });
    expect(body.toString()).toBe("not packed");
  },
);

test.each(["br;q=0.5", "gzip;q=0.8, br;q=1.0", " br "])(
  "a client that accepts '%s' gets it",
  async (accepted) => {
    const { headers } = await ask("/_next/static/chunks/a1.js", { "accept-encoding": accepted });
    expect(headers["content-encoding"]).toBe("br");
  },
);

test("HEAD tells the length and sends nothing", async () => {
  const { headers, body } = await ask(
    "/_next/static/chunks/a1.js",
    { "accept-encoding": "br" },
    "HEAD",
  );
  expect(Number(headers["content-length"])).toBeGreaterThan(0);
  expect(body).toHaveLength(0);
});

test.each([
  "/_next/static/chunks/../a1.js",
  "/_next/static/chunks/a1.js.br",
  "/_next/static/chunks/b2.js",
  "/etc/passwd",
])("%s is no packed file", async (url) => {
  const { body } = await ask(url, { "accept-encoding": "br" });
  expect(body.toString()).toBe("not packed");
});
