import { Secret, TOTP } from "otpauth";

export function authenticatorApp(secret: string, now: () => Date) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  /**
   * One step ahead is valid at once and for another minute, even if the current code is used up and
   * the machine is slow.
   * @param steps of 30 seconds
   */
  const code = (steps = 0): string =>
    totp.generate({ timestamp: now().getTime() + steps * 30_000 });
  return {
    code,
    /** Valid in none of the accepted steps. */
    wrongCode: (): string => {
      const right = [code(-1), code(), code(1)];
      return ["000000", "111111", "222222", "333333"].find((guess) => !right.includes(guess)) ?? "";
    },
  };
}
