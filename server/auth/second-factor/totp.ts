import { timingSafeEqual } from "node:crypto";
import { HOTP, Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

/** The defaults of authenticator apps (RFC 6238 section 4; the Key URI format). */
const digits = 6;
const periodSeconds = 30;
const algorithm = "SHA1";
/** RFC 4226 section 4, R6: 160 bits are recommended. */
const secretBytes = 20;
/** Clocks go wrong and people type slowly: one step to either side is accepted (RFC 6238 section 5.2). */
const stepsAside = 1;

const codeForm = /^[0-9]{6}$/;

/** A new shared secret, in base32. @param bytes draws random bytes */
export const mintTotpSecret = (bytes: (count: number) => Uint8Array): string => {
  const drawn = bytes(secretBytes);
  const buffer = new ArrayBuffer(drawn.length);
  new Uint8Array(buffer).set(drawn);
  return new Secret({ buffer }).base32;
};

/** Whether a text has the form of a one-time password. */
export const isTotpCode = (text: string): boolean => codeForm.test(text);

/**
 * The time step that the code belongs to, by its number since 1970; undefined for a wrong one. Every step is compared in
 * constant time.
 * @param secret in base32
 */
export function matchingTimeStep(secret: string, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const key = Secret.fromBase32(secret);
  const given = Buffer.from(code);
  const current = TOTP.counter({ period: periodSeconds, timestamp: now.getTime() });
  let found: number | undefined;
  for (let step = current - stepsAside; step <= current + stepsAside; step++) {
    const right = Buffer.from(HOTP.generate({ secret: key, algorithm, digits, counter: step }));
    // Of two steps with the same digits the later one counts: it uses up both.
    if (timingSafeEqual(given, right)) found = step;
  }
  return found;
}

/** The text of the QR code: the Key URI that authenticator apps read. @param label names the account */
export const totpUri = (secret: string, label: string): string =>
  new TOTP({
    issuer: "Adjutant",
    label,
    algorithm,
    digits,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  }).toString();

/** The quiet zone that readers want around a QR code, in modules (ISO/IEC 18004 section 9.1). */
const quietZone = 4;

/** A text as a QR code: an SVG image in a data address, dark on white whatever the page's colours are. */
export function qrCode(text: string): string {
  const svg = renderSVG(text, { ecc: "M", border: quietZone, pixelSize: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** How many codes a player gets at a time. */
export const backupCodeCount = 10;

/** Crockford's base32: without I, L, O and U, which are misread. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 50 bits: enough where a guess costs a fifth of a minute and only a keyed hash is stored. */
const length = 10;
const backupCodeForm = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** A new backup code, in the form in which it is stored and compared. @param bytes draws random bytes */
export const mintBackupCode = (bytes: (count: number) => Uint8Array): string =>
  // 32 letters divide 256, so no letter is more likely than another.
  [...bytes(length)].map((byte) => letters[byte % letters.length]).join("");

/** As it is written down: two halves. */
export const writtenBackupCode = (code: string): string =>
  `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** Reads a typed code into the form in which codes are compared; undefined where it is none. */
export function readBackupCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  return backupCodeForm.test(code) ? code : undefined;
}
