import { hash } from "node:crypto";

/**
 * The value of `Strict-Transport-Security` (RFC 6797) wherever BASE_URL is https: two years. Not for subdomains: other services
 * may live there, and they are not ours to decide for.
 */
export const strictTransport = "max-age=63072000";

/** Seconds to wait where nothing finer is known: a database or another part that restarts is back by then. */
const usualWait = 5;
/** Service Unavailable and Gateway Timeout: the same request may succeed later (RFC 9110 sections 15.6.4 and 15.6.5). */
const passing = [503, 504];

/**
 * The header that says when to come again, for any answer with this status; every 503 and 504 has one.
 * @param seconds where it is known
 */
export function retryAfterHeader(status: number, seconds?: number): Record<string, string> {
  const wait = seconds ?? (passing.includes(status) ? usualWait : undefined);
  return wait === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(wait))) };
}

/** The strong entity tag of a body (RFC 9110 section 8.8.3). */
export const entityTag = (body: string | Buffer): string =>
  `"${hash("sha256", body, "base64url").slice(0, 22)}"`;

/**
 * Whether an `If-None-Match` names the tag, by the weak comparison (RFC 9110 section 13.1.2).
 * @param etag strong
 */
export function namesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
