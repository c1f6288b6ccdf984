/**
 * Next replaces `Date` while it gets ready, to see which prerendered pages read the clock; only caching of parts of pages, which
 * we do not use, asks for that. The replacement makes each date cost more, and each API call makes some ten.
 * @returns puts the platform's own `Date` back in its place
 */
export function keepNativeDate(): () => void {
  const { Date: native } = globalThis;
  return () => {
    globalThis.Date = native;
    // It names the replacement otherwise.
    Object.defineProperty(native.prototype, "constructor", { value: native, writable: true, configurable: true });
  };
}
