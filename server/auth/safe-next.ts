export const defaultPage = "/start";

/** Fits an admin page with a reason of 300 characters, percent-encoded. */
export const maxNextLength = 3_000;

/** These pages would cause a loop, or an immediate sign-out. */
const pointless = /^\/sign-(?:in|out)(?:\/|$)/;

/** Browsers drop control characters and spaces, and read a backslash as a slash. */
const treacherous = /[\p{Cc}\s\\]/u;

/**
 * Refuses a text that a browser might read as another host, even after one more decoding (ASVS 5.0,
 * 3.7.2).
 */
export function safeNext(next: string | null | undefined): string {
  if (!next || next.length > maxNextLength || !isPlainPath(next)) return defaultPage;
  const url = new URL(next, "http://portal.invalid");
  if (url.origin !== "http://portal.invalid" || !isPlainPath(url.pathname)) return defaultPage;
  return url.pathname + url.search + url.hash;
}

function isPlainPath(text: string): boolean {
  if (treacherous.test(text)) return false;
  const path = text.split(/[?#]/, 1)[0] ?? "";
  const decoded = fullyDecoded(path);
  return (
    decoded !== undefined &&
    !treacherous.test(decoded) &&
    decoded.startsWith("/") &&
    !decoded.startsWith("//") &&
    !pointless.test(decoded)
  );
}

function fullyDecoded(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return decoded === path ? path : fullyDecoded(decoded);
  } catch {
    return undefined;
  }
}
