import { createPublicKey, verify } from "node:crypto";

/** How an Ed25519 key begins in the form that node:crypto reads (RFC 8410 section 4). */
const keyPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** An older timestamp is refused: a copy of a call is worthless soon. A newer one means that a clock is wrong. */
const mostSecondsOff = 300;

export interface SignedBody {
  readonly signature: string | null;
  /** Unix seconds, as text. */
  readonly timestamp: string | null;
  readonly body: string;
}

/** Whether the chat signed timestamp and body with the key (64 hexadecimal digits), and did so just now. */
export function isSigned(publicKey: string, { signature, timestamp, body }: SignedBody, now: Date): boolean {
  if (!signature || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  if (!timestamp || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > mostSecondsOff) return false;
  const der = Buffer.concat([keyPrefix, Buffer.from(publicKey, "hex")]);
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(null, Buffer.from(timestamp + body), key, Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
}
