import { crc32 } from "node:zlib";

/** Prefixes, by which a leaked secret can be recognised. */
export const secretKinds = { access: "at", refresh: "rt", code: "ac", clientSecret: "cs" } as const;
export type SecretKind = keyof typeof secretKinds;

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomBytesPerSecret = 32;
const randomLength = 43;
const checksumLength = 6;

/** 256 random bits and a checksum, so that a mistyped secret needs no query. */
export function mintSecret(kind: SecretKind, bytes: (count: number) => Uint8Array): string {
  const random = base62(
    BigInt(`0x${Buffer.from(bytes(randomBytesPerSecret)).toString("hex")}`),
    randomLength,
  );
  const stem = `adj_${secretKinds[kind]}_${random}`;
  return stem + checksum(stem);
}

/** Checks the form only. */
export function hasSecretForm(kind: SecretKind, text: string): boolean {
  const prefix = `adj_${secretKinds[kind]}_`;
  if (text.length !== prefix.length + randomLength + checksumLength || !text.startsWith(prefix))
    return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

const checksum = (stem: string): string => base62(BigInt(crc32(stem)), checksumLength);

/** Eight digits per division of a large integer are ten times as fast as one. */
const digitsAtOnce = 8;
const step = 62n ** BigInt(digitsAtOnce);

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  while (text.length < length) {
    let part = Number(rest % step);
    rest /= step;
    for (let place = 0; place < digitsAtOnce && text.length < length; place++) {
      text = (digits[part % 62] ?? "0") + text;
      part = Math.floor(part / 62);
    }
  }
  return text;
}
