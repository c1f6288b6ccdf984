import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** Whether two texts are the same, in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The purpose of a derived key. Each has a key of its own, so that no value of one can stand in for another. */
export type Purpose =
  | "token"
  | "client-secret"
  | "session"
  | "csrf"
  | "browser"
  | "game-key"
  | "limiter"
  | "second-factor"
  | "backup-code"
  | "second-step"
  /** A challenge that a passkey signs. */
  | "passkey"
  | "chat-sign-in"
  | "cursor"
  | "webhook-secret"
  /** Says which secret it is, and nothing else. */
  | "server-secret";

/** A keyed hash as stored: the hash, and the id of the server secret that it was made under. */
export interface KeyedHash {
  readonly hash: string;
  readonly keyId: string;
}

/** All keys of the service, derived from the server secret (and the previous one after a change). */
export interface Keyring {
  /** The ids under which rows can be opened here, the current one first. Rows carry the id of the secret they were made under. */
  readonly keyIds: readonly [string, ...string[]];
  /** HMAC-SHA-256 under the current secret, base64url. */
  hmac(purpose: Purpose, value: string): KeyedHash;
  /** The same under every secret in force, the current one first: what a stored hash may equal. */
  hmacs(purpose: Purpose, value: string): readonly KeyedHash[];
  /** AES-256-GCM with a fresh nonce. `boundTo` (a row's id) must be given again to open it, so a value cannot move to another row. */
  seal(purpose: Purpose, plain: string, boundTo: string): string;
  /** @throws when the text was altered, moved, or sealed under a secret that is not at hand */
  open(purpose: Purpose, sealed: string, boundTo: string): string;
}

interface SecretKeys {
  readonly id: string;
  key(use: string): Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;

/** @param secrets the current server secret, then the previous one, if any */
export function createKeyring(secrets: readonly [string, ...string[]]): Keyring {
  const current = secretKeys(secrets[0]);
  const all = [
    current,
    ...secrets
      .slice(1)
      .filter((secret) => secret !== secrets[0])
      .map(secretKeys),
  ];
  const hmacOf = (keys: SecretKeys, purpose: Purpose, value: string): KeyedHash => ({
    hash: createHmac("sha256", keys.key(`hash ${purpose}`))
      .update(value)
      .digest("base64url"),
    keyId: keys.id,
  });
  return {
    keyIds: [current.id, ...all.slice(1).map(({ id }) => id)],
    hmac: (purpose, value) => hmacOf(current, purpose, value),
    hmacs: (purpose, value) => all.map((keys) => hmacOf(keys, purpose, value)),
    seal: (purpose, plain, boundTo) =>
      `${current.id}.${sealWith(current.key(`seal ${purpose}`), plain, boundTo)}`,
    open: (purpose, sealed, boundTo) => {
      const dot = sealed.indexOf(".");
      const keys = all.find((candidate) => candidate.id === sealed.slice(0, dot));
      if (!keys) throw new Error("The value was sealed under a server secret that is not at hand.");
      return unsealWith(keys.key(`seal ${purpose}`), sealed.slice(dot + 1), boundTo);
    },
  };
}

/** AES-256-GCM under a key of 32 bytes; base64url of nonce, tag and ciphertext. */
export function sealWith(key: Uint8Array, plain: string, boundTo: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(boundTo));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** The reverse of `sealWith`. @throws when key, text or binding do not fit */
export function unsealWith(key: Uint8Array, sealed: string, boundTo: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([
    decipher.update(bytes.subarray(nonceBytes + tagBytes)),
    decipher.final(),
  ]).toString("utf8");
}

function secretKeys(secret: string): SecretKeys {
  const derived = new Map<string, Buffer>();
  return {
    id: createHash("sha256").update(`adjutant key id ${secret}`).digest("base64url").slice(0, 8),
    key: (use) => {
      let key = derived.get(use);
      if (!key) {
        key = Buffer.from(hkdfSync("sha256", secret, "adjutant", use, 32));
        derived.set(use, key);
      }
      return key;
    },
  };
}
