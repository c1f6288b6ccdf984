import type { Context } from "../context";
import type { Keyring } from "../platform/keyring";

/** A position in the log: after this number. */
export interface LogPosition {
  readonly epoch: number;
  readonly seq: number;
}

const tagBytes = 8;
const plainBytes = 12;

/**
 * Writes a position as the opaque text that clients keep: `epoch.seq`, encrypted deterministically for one application (a synthetic
 * IV, as in RFC 5297), so that it is the same text in all doors. A number would show how much happens here.
 */
export function writeEventCursor(
  { keyring }: Pick<Context, "keyring">,
  clientId: string,
  { epoch, seq }: LogPosition,
): string {
  const plain = Buffer.alloc(plainBytes);
  plain.writeUInt32BE(epoch, 0);
  plain.writeBigUInt64BE(BigInt(seq), 4);
  const tag = tagOf(keyring.hmac("cursor", `${clientId} ${plain.toString("hex")}`).hash);
  const { hash } = keyring.hmac("cursor", `${clientId} cover ${tag.toString("hex")}`);
  return Buffer.concat([tag, covered(plain, hash)]).toString("base64url");
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
    const plain = covered(bytes.subarray(tagBytes), hash);
    const again = keyring.hmacs("cursor", `${clientId} ${plain.toString("hex")}`)[at];
    if (again && tagOf(again.hash).equals(tag))
      return { epoch: plain.readUInt32BE(0), seq: Number(plain.readBigUInt64BE(4)) };
  }
  return undefined;
}

const tagOf = (hash: string): Buffer => Buffer.from(hash, "base64url").subarray(0, tagBytes);

/** Covers and uncovers: XOR with the start of the hash. */
function covered(bytes: Buffer, hash: string): Buffer {
  const cover = Buffer.from(hash, "base64url");
  return Buffer.from(bytes.map((byte, at) => byte ^ (cover[at] ?? 0)));
}
