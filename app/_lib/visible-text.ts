/** What would not be seen, or would turn round what stands beside it. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text that somebody else sent, with its invisible characters written out: a redirect URI with U+202E says so. */
export const visibleText = (text: string): string =>
  text.replace(unseen, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
