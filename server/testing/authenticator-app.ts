import { Secret, TOTP } from "otpauth";

export function authenticatorApp(secret: string, now: () => Date) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  /**
   * One step ahead is unused, and valid for another minute on a slow machine.
   * @param steps of 30 seconds
   */
  const code = (steps = 0): string =>
    totp.generate({ timestamp: now().getTime() + steps * 30_000 });
  return {
    code,
    wrongCode: (): string => {
      const right = [code(-1), code(), code(1)];
      return ["000000", "111111", "222222", "333333"].find((guess) => !right.includes(guess)) ?? "";
    },
  };
}
