import { timingSafeEqual } from "node:crypto";
import { HOTP, Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

/** RFC 6238 section 4; Key URI format. */
const digits = 6;
const periodSeconds = 30;
const algorithm = "SHA1";
/** RFC 4226 section 4, R6 recommends 160 bits. */
const secretBytes = 20;
/** Allows for clock skew and slow typing (RFC 6238 section 5.2). */
const stepsAside = 1;

const codeForm = /^[0-9]{6}$/;

export const mintTotpSecret = (bytes: (count: number) => Uint8Array): string => {
  const drawn = bytes(secretBytes);
  const buffer = new ArrayBuffer(drawn.length);
  new Uint8Array(buffer).set(drawn);
  return new Secret({ buffer }).base32;
};

export const hasTotpForm = (text: string): boolean => codeForm.test(text);

/** Compares in constant time. @param secret in base32 */
export function findTimeStep(secret: string, code: string, now: Date): number | undefined {
  if (!hasTotpForm(code)) return undefined;
  const key = Secret.fromBase32(secret);
  const given = Buffer.from(code);
  const current = TOTP.counter({ period: periodSeconds, timestamp: now.getTime() });
  let found: number | undefined;
  for (let step = current - stepsAside; step <= current + stepsAside; step++) {
    const right = Buffer.from(HOTP.generate({ secret: key, algorithm, digits, counter: step }));
    // If two steps have equal digits, the later step consumes both.
    if (timingSafeEqual(given, right)) found = step;
  }
  return found;
}

export const totpUri = (secret: string, label: string): string =>
  new TOTP({
    issuer: "Adjutant",
    label,
    algorithm,
    digits,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  }).toString();

/** Modules; ISO/IEC 18004 section 9.1. */
const quietZone = 4;

/** @returns an SVG data URL */
export function qrCodeDataUrl(text: string): string {
  const svg = renderSVG(text, { ecc: "M", border: quietZone, pixelSize: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

export const backupCodeCount = 10;

/** Crockford's base32: no I, L, O or U. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 50 bits suffice with a keyed hash. */
const length = 10;
const backupCodeForm = /^[0-9A-HJKMNP-TV-Z]{10}$/;

export const mintBackupCode = (bytes: (count: number) => Uint8Array): string =>
  // 256 is a multiple of 32: all letters are equally likely.
  [...bytes(length)].map((byte) => letters[byte % letters.length]).join("");

export const formatBackupCode = (code: string): string =>
  `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

export function readBackupCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  return backupCodeForm.test(code) ? code : undefined;
}
