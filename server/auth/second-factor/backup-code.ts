/** How many codes a player gets at a time. */
export const backupCodeCount = 10;

/** Crockford's base32: without I, L, O and U, which are misread. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 50 bits: enough where a guess costs a fifth of a minute and only a keyed hash is stored. */
const length = 10;
const codeForm = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** A new backup code, in the form in which it is stored and compared. @param bytes draws random bytes */
export const mintBackupCode = (bytes: (count: number) => Uint8Array): string =>
  // 32 letters divide 256, so no letter is more likely than another.
  [...bytes(length)].map((byte) => letters[byte % letters.length]).join("");

/** As it is written down: two halves. */
export const writtenBackupCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** What somebody typed, in the form in which codes are compared; undefined where it is none. */
export function readBackupCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  return codeForm.test(code) ? code : undefined;
}
