import { randomBytes, randomUUID } from "node:crypto";
import { secondMs } from "./time";

/** Accepts proxies' ids too, such as a UUID or 32 hexadecimal digits. */
export const isRequestId = (text: string): boolean => /^[0-9A-Za-z_-]{16,64}$/.test(text);

export type Ids = ReturnType<typeof createIds>;

const letters = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
const requestIdLength = 22;
const secondLength = 6;

/** Undefined for a proxy's id. */
export function instantOfRequestId(requestId: string): Date | undefined {
  if (requestId.length !== requestIdLength) return undefined;
  let seconds = 0;
  for (const letter of requestId.slice(0, secondLength)) {
    const digit = letters.indexOf(letter);
    if (digit < 0) return undefined;
    seconds = seconds * letters.length + digit;
  }
  return new Date(seconds * secondMs);
}

/** The only source of randomness for rules. @param now clock of the request ids */
export function createIds(now: () => Date = () => new Date()) {
  // Drawn in blocks, to avoid system calls on the hot path.
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
    // The pool keeps no copy of a secret.
    pool.fill(0, used, used + count);
    used += count;
    return drawn;
  };
  return {
    bytes,
    /** base64url. */
    text: (count: number): string => Buffer.from(bytes(count)).toString("base64url"),
    uuid: (): string => randomUUID(),
    /** 22 letters and digits, of which the first six encode the second. */
    request: (): string => {
      writeSecond();
      // A request id is no secret, so the modulo bias is harmless.
      for (let at = secondLength; at < requestIdLength; at++)
        requestId[at] = letters[next() % letters.length] ?? 0;
      return requestId.toString("latin1");
    },
  };
}

/** 43 characters of base64url. */
export const tokenBytes = 32;

export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** PostgreSQL raises an error for a uuid in another form. */
export const isUuid = (text: string): boolean => form.test(text);
