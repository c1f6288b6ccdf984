import { randomBytes, randomUUID } from "node:crypto";
import { secondMs } from "./time";

/**
 * The form of a request's id, ours (22 letters and digits) or a proxy's: a UUID, 32 hexadecimal digits. Bounded, because it
 * is in headers, log lines and rows.
 */
export const isRequestId = (text: string): boolean => /^[0-9A-Za-z_-]{16,64}$/.test(text);

/** Randomness, as a port: nothing else in the product draws any. */
export interface Ids {
  /** A random UUID (version 4), for rows. */
  uuid(): string;
  /** A request's id: 22 characters, letters and digits, of which the first six tell the second, so that its line is found. */
  request(): string;
  /** Bytes for secrets. */
  bytes(count: number): Uint8Array;
  /** So many random bytes as base64url: safe in a URL, a cookie or a header. */
  text(bytes: number): string;
}

const letters = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
const requestIdLength = 22;
const secondLength = 6;

/**
 * The second in which a request's id was made; undefined for an id without a plausible time, as a
 * proxy's.
 */
export function instantOf(requestId: string): Date | undefined {
  if (requestId.length !== requestIdLength) return undefined;
  let seconds = 0;
  for (const letter of requestId.slice(0, secondLength)) {
    const digit = letters.indexOf(letter);
    if (digit < 0) return undefined;
    seconds = seconds * letters.length + digit;
  }
  return new Date(seconds * secondMs);
}

/** Ids from the system's random source, and from the clock that the requests are logged by. */
export function randomIds(now: () => Date = () => new Date()): Ids {
  // Random bytes are drawn in blocks: on the hot path neither a request id nor a secret must cost a system call.
  let pool = randomBytes(4_096);
  let used = 0;
  const refill = () => {
    pool = randomBytes(4_096);
    used = 0;
  };
  const requestId = Buffer.alloc(requestIdLength);
  let second = 0;
  const writeSecond = () => {
    const current = Math.floor(now().getTime() / secondMs);
    if (current === second) return;
    second = current;
    for (let at = secondLength - 1, rest = current; at >= 0; at--) {
      requestId[at] = letters[rest % letters.length] ?? 0;
      rest = Math.floor(rest / letters.length);
    }
  };
  const next = () => {
    if (used === pool.length) refill();
    return pool[used++] ?? 0;
  };
  const bytes = (count: number) => {
    if (count > pool.length / 2) return new Uint8Array(randomBytes(count));
    if (pool.length - used < count) refill();
    const drawn = new Uint8Array(pool.subarray(used, used + count));
    // What became a secret is not kept beside it.
    pool.fill(0, used, used + count);
    used += count;
    return drawn;
  };
  return {
    bytes,
    text: (count) => Buffer.from(bytes(count)).toString("base64url"),
    uuid: randomUUID,
    request: () => {
      writeSecond();
      // The modulo bias is harmless: a request id is a name, not a secret.
      for (let at = secondLength; at < requestIdLength; at++)
        requestId[at] = letters[next() % letters.length] ?? 0;
      return requestId.toString("latin1");
    },
  };
}

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text has the form of a row's id. PostgreSQL raises an error when asked for anything else. */
export const isUuid = (text: string): boolean => form.test(text);
