import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { mintBackupCode, readBackupCode, writtenBackupCode } from "./totp";

test("a backup code is read as it was written down, in small letters, with spaces and with mistaken letters", () => {
  const code = mintBackupCode((count) => new Uint8Array(randomBytes(count)));
  const written = writtenBackupCode(code);
  expect(written).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
  for (const typed of [written, code, written.toLowerCase(), ` ${written.replace("-", " ")} `])
    expect(readBackupCode(typed)).toBe(code);
  expect(readBackupCode("oil0l-IO001")).toBe("0110110001");
});

test.each(["", "123456", "ABCDE-FGHJ", "ABCDE-FGHJKM", "ABCDE-FGHJU", "ABCDE_FGHJK", "ÄBCDE-FGHJK"])(
  "%j is none",
  (typed) => {
    expect(readBackupCode(typed)).toBeUndefined();
  },
);
