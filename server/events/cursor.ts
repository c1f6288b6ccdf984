import type { Context } from "../context";
import type { LogEnd } from "../event-log/read-log";
import type { Keyring } from "../platform/keyring";

const tagBytes = 8;
const plainBytes = 12;
/** Twenty bytes as base64url. */
export const cursorPattern = "^[A-Za-z0-9_-]{27}$";

/**
 * Cursors are encrypted per application, because plain numbers would reveal our traffic. A
 * synthetic IV (as in RFC 5297) makes them the same in the list, the stream and webhooks.
 */
export function writeEventCursor(
  { keyring }: Pick<Context, "keyring">,
  clientId: string,
  { epoch, seq }: LogEnd,
): string {
  const plain = Buffer.alloc(plainBytes);
  plain.writeUInt32BE(epoch, 0);
  plain.writeBigUInt64BE(BigInt(seq), 4);
  const tag = tagOf(keyring.hmac("cursor", `${clientId} ${plain.toString("hex")}`).hash);
  const { hash } = keyring.hmac("cursor", `${clientId} cover ${tag.toString("hex")}`);
  return Buffer.concat([tag, covered(plain, hash)]).toString("base64url");
}

/** Undefined unless the cursor was written for this application under a secret in force. */
export function readEventCursor(
  keyring: Keyring,
  clientId: string,
  text: string,
): LogEnd | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== tagBytes + plainBytes || bytes.toString("base64url") !== text)
    return undefined;
  const tag = bytes.subarray(0, tagBytes);
  const covers = keyring.hmacs("cursor", `${clientId} cover ${tag.toString("hex")}`);
  for (const [at, hash] of covers.entries()) {
    const plain = covered(bytes.subarray(tagBytes), hash);
    const again = keyring.hmacs("cursor", `${clientId} ${plain.toString("hex")}`)[at];
    if (again && tagOf(again).equals(tag))
      return { epoch: plain.readUInt32BE(0), seq: Number(plain.readBigUInt64BE(4)) };
  }
  return undefined;
}

const tagOf = (hash: string): Buffer => Buffer.from(hash, "base64url").subarray(0, tagBytes);

/** XOR with the start of the hash is its own inverse. */
function covered(bytes: Buffer, hash: string): Buffer {
  const cover = Buffer.from(hash, "base64url");
  return Buffer.from(bytes.map((byte, at) => byte ^ (cover[at] ?? 0)));
}
