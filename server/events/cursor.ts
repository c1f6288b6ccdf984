import { LRUCache } from "lru-cache";
import { type Context, perProcess } from "../context";
import type { Keyring } from "../platform/keyring";

/** A position in the log: after this number. */
export interface LogPosition {
  readonly epoch: number;
  readonly seq: number;
}

const tagBytes = 8;
const plainBytes = 12;

const mostWritten = 1_000;
/** Cursors written lately: each event is told many readers of an application at once, and a heartbeat all of them. */
const written = perProcess(
  "cursors of the events",
  () => new LRUCache<string, string>({ max: mostWritten }),
);

/**
 * Writes a position as the opaque text that clients keep. The same position is the same text for one application, through whichever door
 * it leaves; a number would tell everybody how much happens here. The tag is a keyed hash of application and position, and seeds
 * what covers the position.
 */
export function writeEventCursor(ctx: Context, clientId: string, position: LogPosition): string {
  const cursors = written(ctx);
  const key = `${clientId} ${position.epoch} ${position.seq}`;
  const known = cursors.get(key);
  if (known !== undefined) return known;
  const cursor = cursorOf(ctx.keyring, clientId, position);
  cursors.set(key, cursor);
  return cursor;
}

function cursorOf(keyring: Keyring, clientId: string, position: LogPosition): string {
  const plain = plainOf(position);
  const tag = tagOf(keyring.hmac("cursor", `${clientId} ${plain.toString("hex")}`).hash);
  const cover = keyring.hmac("cursor", `${clientId} cover ${tag.toString("hex")}`).hash;
  return Buffer.concat([tag, mask(plain, cover)]).toString("base64url");
}

/** Reads a cursor of the application; undefined for anything that was not written for it under a secret in force. */
export function readEventCursor(
  keyring: Keyring,
  clientId: string,
  text: string,
): LogPosition | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== tagBytes + plainBytes || bytes.toString("base64url") !== text)
    return undefined;
  const tag = bytes.subarray(0, tagBytes);
  const covers = keyring.hmacs("cursor", `${clientId} cover ${tag.toString("hex")}`);
  for (const [at, { hash }] of covers.entries()) {
    const plain = mask(bytes.subarray(tagBytes), hash);
    const again = keyring.hmacs("cursor", `${clientId} ${plain.toString("hex")}`)[at];
    if (again && tagOf(again.hash).equals(tag))
      return { epoch: plain.readUInt32BE(0), seq: Number(plain.readBigUInt64BE(4)) };
  }
  return undefined;
}

function plainOf({ epoch, seq }: LogPosition): Buffer {
  const plain = Buffer.alloc(plainBytes);
  plain.writeUInt32BE(epoch, 0);
  plain.writeBigUInt64BE(BigInt(seq), 4);
  return plain;
}

const tagOf = (hash: string): Buffer => Buffer.from(hash, "base64url").subarray(0, tagBytes);

function mask(bytes: Buffer, hash: string): Buffer {
  const cover = Buffer.from(hash, "base64url");
  return Buffer.from(bytes.map((byte, at) => byte ^ (cover[at] ?? 0)));
}
