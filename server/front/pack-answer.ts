import type { IncomingMessage, ServerResponse } from "node:http";
import {
  brotliCompressSync,
  createBrotliCompress,
  createGzip,
  gzipSync,
  constants as zlib,
} from "node:zlib";
import { codingFor } from "./packed-files";

/** Milliseconds that a page's first part waits for the rest. */
const longestWait = 20;
/** Bytes compressed in one piece, within a millisecond; a longer answer is sent in parts. */
const largestPiece = 256 * 1_024;
/** Bytes; smaller answers are not compressed. */
const smallestPacked = 1_024;

// At this level brotli is as small as gzip's default, in a third of its time; gzip is a tenth
// larger in half its time.
const brotli = { params: { [zlib.BROTLI_PARAM_QUALITY]: 3 } };
const gzip = { level: 3 };
const packers = {
  br: {
    whole: (body: Buffer) => brotliCompressSync(body, brotli),
    stream: () => createBrotliCompress(brotli),
  },
  gzip: { whole: (body: Buffer) => gzipSync(body, gzip), stream: () => createGzip(gzip) },
};

/**
 * Compresses Next's answers: in one piece if complete at once, as most pages are, else in parts.
 * Next's own compression uses another thread per part, which costs four times as much.
 */
export function packAnswer(request: IncomingMessage, response: ServerResponse): void {
  const { headers, method } = request;
  const coding = codingFor(headers["accept-encoding"]);
  // Next must not compress it too.
  delete headers["accept-encoding"];
  if (!coding || method === "HEAD") return;
  const { whole, stream } = packers[coding];
  const { write, end, flushHeaders } = response;
  const own = {
    write: (chunk: Buffer) => write.call(response, chunk, "utf8"),
    end: (chunk?: Buffer) =>
      void (chunk ? end.call(response, chunk, "utf8") : Reflect.apply(end, response, [])),
  };
  let waiting: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  const sendParts = (): void => {
    clearTimeout(timer);
    Object.assign(response, { write, end, flushHeaders });
    if (response.closed) return;
    if (!isPackable(response)) return void own.write(Buffer.concat(waiting));
    const packer = stream();
    response.removeHeader("content-length");
    response.setHeader("content-encoding", coding);
    packer.on("data", (part: Buffer) => {
      if (!own.write(part)) packer.pause();
    });
    packer.once("end", () => own.end());
    packer.once("error", () => response.destroy());
    // A writer waiting for drain continues when both can take more.
    response.on("drain", () => packer.resume());
    packer.on("drain", () => response.emit("drain"));
    response.once("close", () => packer.destroy());
    const pack = (chunk: Chunk) => {
      const wantsMore = packer.write(bufferOf(chunk));
      packer.flush();
      return wantsMore;
    };
    Object.assign(response, {
      write: pack,
      end: (...given: unknown[]) => {
        tellOfEnd(response, given);
        if (isChunk(given[0])) pack(given[0]);
        packer.end();
        return response;
      },
    });
    pack(Buffer.concat(waiting));
    waiting = [];
  };

  function add(chunk: Chunk): void {
    const part = bufferOf(chunk);
    waiting.push(part);
    size += part.length;
  }

  Object.assign(response, {
    // Headers depend on the body's size, so they wait for it.
    flushHeaders: () => {},
    write: (chunk: Chunk) => {
      add(chunk);
      if (size > largestPiece) sendParts();
      else timer ??= setTimeout(sendParts, longestWait);
      return true;
    },
    end: (...given: unknown[]) => {
      clearTimeout(timer);
      tellOfEnd(response, given);
      if (isChunk(given[0])) add(given[0]);
      if (size > largestPiece) {
        sendParts();
        return response.end();
      }
      Object.assign(response, { write, end, flushHeaders });
      if (size < smallestPacked || !isPackable(response))
        own.end(size > 0 ? Buffer.concat(waiting) : undefined);
      else {
        const body = whole(Buffer.concat(waiting));
        response.setHeader("content-encoding", coding);
        response.setHeader("content-length", body.length);
        own.end(body);
      }
      return response;
    },
  });
}

type Chunk = Uint8Array | string;

function tellOfEnd(response: ServerResponse, given: readonly unknown[]): void {
  const callback = given.find((each) => typeof each === "function");
  if (callback) response.once("finish", callback as () => void);
}

const isChunk = (given: unknown): given is Chunk =>
  typeof given === "string" || given instanceof Uint8Array;

const bufferOf = (chunk: Chunk): Buffer =>
  typeof chunk === "string"
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

const packedTypes =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml)\b|image\/svg)/i;

/** Adds Vary to an answer that may be compressed. */
function isPackable(response: ServerResponse): boolean {
  if (response.headersSent || response.statusCode === 206 || response.hasHeader("content-encoding"))
    return false;
  if (!packedTypes.test(String(response.getHeader("content-type") ?? ""))) return false;
  const vary = String(response.getHeader("vary") ?? "");
  if (!/accept-encoding/i.test(vary))
    response.setHeader("vary", vary ? `${vary}, Accept-Encoding` : "Accept-Encoding");
  return true;
}
