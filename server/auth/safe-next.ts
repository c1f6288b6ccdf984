/** The page after a sign-in without a destination; it leads on to the page where the player begins. */
export const defaultPage = "/start";

/** Holds an admin's page with a reason of 300 letters, each of nine characters where it is percent-encoded. */
export const longestNext = 3_000;

/** Sending somebody who just signed in there again would be a circle; sign-out would undo what they did. */
const pointless = /^\/sign-(?:in|out)(?:\/|$)/;

/** A C0 control, space or DEL, which browsers drop or fold in an address; or a backslash, which they read as a slash. */
const treacherous = /[\p{Cc}\s\\]/u;

/**
 * The path to go to after the sign-in: `next` if it is an absolute path of this very site, else the default page. Whatever a browser
 * might read as another host, now or after one more decoding by something in between, is not followed (ASVS 5.0, 3.7.2).
 */
export function safeNext(next: string | null | undefined): string {
  if (!next || next.length > longestNext || !isPlainPath(next)) return defaultPage;
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

/** The path with every layer of percent-encoding removed; undefined where it is malformed. */
function fullyDecoded(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return decoded === path ? path : fullyDecoded(decoded);
  } catch {
    return undefined;
  }
}
