import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "./env";
import { wrongSetting } from "./start-fault";

/** Constant-time. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A value made for one purpose cannot serve another. */
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
  | "passkey"
  | "chat-sign-in"
  | "cursor"
  | "webhook-secret"
  | "server-secret";

export interface KeyedHash {
  readonly hash: string;
  readonly keyId: string;
}

export type Keyring = ReturnType<typeof createKeyring>;

interface SecretKeys {
  readonly id: string;
  key(use: string): KeyObject;
}

const nonceBytes = 12;
const tagBytes = 16;

/** @param secrets current, then previous */
export function createKeyring(secrets: readonly [string, ...string[]]) {
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
    /** Current first. Rows store the id of their secret. */
    keyIds: [current.id, ...all.slice(1).map(({ id }) => id)] as const,
    hmac: (purpose: Purpose, value: string): KeyedHash => hmacOf(current, purpose, value),
    hmacs: (purpose: Purpose, value: string): readonly string[] =>
      all.map((keys) => hmacOf(keys, purpose, value).hash),
    /** @param boundTo a row's id, so that the value cannot move to another row */
    seal: (purpose: Purpose, plain: string, boundTo: string): string =>
      `${current.id}.${sealWith(current.key(`seal ${purpose}`), plain, boundTo)}`,
    /** @throws if the text was altered or moved, or its secret is missing */
    open: (purpose: Purpose, sealed: string, boundTo: string): string => {
      const dot = sealed.indexOf(".");
      const keys = all.find((candidate) => candidate.id === sealed.slice(0, dot));
      if (!keys) throw new Error("The value was sealed under a server secret that is not at hand.");
      return unsealWith(keys.key(`seal ${purpose}`), sealed.slice(dot + 1), boundTo);
    },
  };
}

/**
 * Only the text's hash is stored, so a copy of the database opens nothing. The text is random, so
 * HKDF's extract step is skipped (RFC 5869 section 3.3).
 */
export const deriveKey = (random: string, use: string): Uint8Array =>
  createHmac("sha256", random).update(use).digest();

/** AES-256-GCM; base64url of nonce, tag and ciphertext. */
export function sealWith(key: CipherKey, plain: string, boundTo: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(boundTo));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** @throws if key, text or binding do not match */
export function unsealWith(key: CipherKey, sealed: string, boundTo: string): string {
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
  const derived = new Map<string, KeyObject>();
  return {
    id: createHash("sha256").update(`adjutant key id ${secret}`).digest("base64url").slice(0, 8),
    key: (use) => {
      let key = derived.get(use);
      if (!key) {
        // A key object takes 2 µs per HMAC and a buffer 10 µs, because Node prepares a buffer each
        // time.
        key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "adjutant", use, 32)));
        derived.set(use, key);
      }
      return key;
    },
  };
}

const secretBytes = 48;
const base64Length = 64;

export async function openServerKeyring(settings: Settings): Promise<Keyring> {
  const current = settings.serverSecret ?? (await storedServerSecret(settings.dataDir));
  return createKeyring(
    settings.previousServerSecret ? [current, settings.previousServerSecret] : [current],
  );
}

/** The file is readable by its owner only. @throws WrongSetting for a truncated file */
async function storedServerSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, "server-secret");
  const secret = (await read(file)) ?? (await generate(file));
  if (secret.length < base64Length)
    throw wrongSetting(
      `DATA_DIR is wrong: ${file} is cut off. Restore it from a backup; in a new installation, which has no data yet, delete it.`,
    );
  return secret;
}

/** Links a finished file, so that a kill leaves no part of one and the first process wins. */
async function generate(file: string): Promise<string> {
  const unnamed = `${file}.${process.pid}`;
  try {
    const handle = await open(unnamed, "w", 0o600);
    try {
      await handle.writeFile(`${randomBytes(secretBytes).toString("base64")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(unnamed, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(unnamed, { force: true }).catch(() => {});
  }
  return (await read(file)) ?? "";
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
