import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import {
  findTimeStep,
  formatBackupCode,
  hasTotpForm,
  mintBackupCode,
  mintTotpSecret,
  readBackupCode,
  totpUri,
} from "./totp";

/** RFC 6238's SHA-1 test seed, in base32. */
const seed = Secret.fromUTF8("12345678901234567890").base32;

describe("a one-time password", () => {
  // RFC 6238 appendix B has eight digits; the last six are ours.
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %i is %s, as RFC 6238 says", (seconds, code) => {
    expect(findTimeStep(seed, code, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
  });

  test("is accepted one step early or late, and no further", () => {
    const now = new Date("2026-03-01T12:00:00Z");
    const totp = new TOTP({ secret: Secret.fromBase32(seed) });
    const accepted = [-2, -1, 0, 1, 2].map((steps) => {
      const code = totp.generate({ timestamp: now.getTime() + steps * 30_000 });
      return findTimeStep(seed, code, now) === undefined ? null : steps;
    });
    expect(accepted).toEqual([null, -1, 0, 1, null]);
  });

  test.each(["", "12345", "1234567", "12345a", "１２３４５６", "-12345", "0x1234"])(
    "%j is none",
    (text) => {
      expect(hasTotpForm(text)).toBe(false);
      expect(findTimeStep(seed, text, new Date(0))).toBeUndefined();
    },
  );
});

test("a secret has 160 random bits", () => {
  const drawn = new Uint8Array(20).map((_, at) => at * 7);
  expect([...new Uint8Array(Secret.fromBase32(mintTotpSecret(() => drawn)).buffer)]).toEqual([
    ...drawn,
  ]);
});

test("the address in the QR code names the service and the player, and keeps the defaults that every app knows", () => {
  const uri = new URL(totpUri(seed, "Ada_Quill [1001]"));
  expect(decodeURIComponent(uri.pathname)).toContain("Adjutant:Ada_Quill [1001]");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: "Adjutant",
    secret: seed,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});

test("a backup code is read as it was written down, in small letters, with spaces and with mistaken letters", () => {
  const code = mintBackupCode((count) => new Uint8Array(randomBytes(count)));
  const written = formatBackupCode(code);
  expect(written).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
  for (const typed of [written, code, written.toLowerCase(), ` ${written.replace("-", " ")} `])
    expect(readBackupCode(typed)).toBe(code);
  expect(readBackupCode("oil0l-IO001")).toBe("0110110001");
});

test.each([
  "",
  "123456",
  "ABCDE-FGHJ",
  "ABCDE-FGHJKM",
  "ABCDE-FGHJU",
  "ABCDE_FGHJK",
  "ÄBCDE-FGHJK",
])("%j is none", (typed) => {
  expect(readBackupCode(typed)).toBeUndefined();
});
