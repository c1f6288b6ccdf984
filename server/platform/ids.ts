import { randomBytes, randomUUID } from "node:crypto";

/**
 * The form of a request's id, ours (22 letters and digits) or a proxy's: a UUID, 32 hexadecimal digits. Bounded, because it
 * stands in headers, log lines and rows.
 */
export const isRequestId = (text: string): boolean => /^[0-9A-Za-z_-]{16,64}$/.test(text);

/** Randomness, as a port: nothing else in the product draws any. */
export interface Ids {
  /** A random UUID (version 4), for rows. */
  uuid(): string;
  /** A request's id: 22 characters, letters and digits. */
  request(): string;
  /** Bytes for secrets. */
  bytes(count: number): Uint8Array;
}

const letters = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
const requestIdLength = 22;

/** Ids from the system's random source. */
export function randomIds(): Ids {
  // Random bytes are drawn in blocks: on the hot path neither a request id nor a secret must cost a system call.
  let pool = randomBytes(4_096);
  let used = 0;
  const refill = () => {
    pool = randomBytes(4_096);
    used = 0;
  };
  const requestId = Buffer.alloc(requestIdLength);
  const next = () => {
    if (used === pool.length) refill();
    return pool[used++] ?? 0;
  };
  return {
    uuid: randomUUID,
    request: () => {
      // The modulo bias is harmless: a request id is a name, not a secret.
      for (let at = 0; at < requestIdLength; at++) requestId[at] = letters[next() % letters.length] ?? 0;
      return requestId.toString("latin1");
    },
    bytes: (count) => {
      if (count > pool.length / 2) return new Uint8Array(randomBytes(count));
      if (pool.length - used < count) refill();
      const bytes = new Uint8Array(pool.subarray(used, used + count));
      // What became a secret is not kept beside it.
      pool.fill(0, used, used + count);
      used += count;
      return bytes;
    },
  };
}

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text has the form of a row's id. PostgreSQL raises an error when asked for anything else. */
export const isUuid = (text: string): boolean => form.test(text);
