import { hash } from "node:crypto";

/** Two years (RFC 6797). Subdomains may belong to other services. */
export const strictTransport = "max-age=63072000";

/** Seconds; enough for a part to restart. */
const usualWait = 5;
const passing = [503, 504];

/** Every 503 and 504 has this header. @param seconds if known */
export function retryAfterHeader(status: number, seconds?: number): Record<string, string> {
  const wait = seconds ?? (passing.includes(status) ? usualWait : undefined);
  return wait === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(wait))) };
}

/** A strong tag (RFC 9110 section 8.8.3). */
export const entityTag = (body: string | Buffer): string =>
  `"${hash("sha256", body, "base64url").slice(0, 22)}"`;

/** Weak comparison (RFC 9110 section 13.1.2). */
export function namesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
