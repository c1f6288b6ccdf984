import { Secret, TOTP } from "otpauth";

/** An authenticator app that knows one secret, as its owner reads codes off it. */
export function authenticatorApp(secret: string, now: () => Date) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  /**
   * One step ahead is right already, and for a minute still, whatever code of this moment was used up: where a slow machine takes long
   * to send it.
   * @param steps how many steps of 30 seconds the app's clock is ahead of ours
   */
  const code = (steps = 0): string =>
    totp.generate({ timestamp: now().getTime() + steps * 30_000 });
  return {
    code,
    /** Six digits that are right in none of the steps that are accepted. */
    wrongCode: (): string => {
      const right = [code(-1), code(), code(1)];
      return ["000000", "111111", "222222", "333333"].find((guess) => !right.includes(guess)) ?? "";
    },
  };
}
