import { hash } from "node:crypto";

/** The strong entity tag of a body (RFC 9110 section 8.8.3). */
export const entityTag = (body: string | Buffer): string => `"${hash("sha256", body, "base64url").slice(0, 22)}"`;

/**
 * Whether an `If-None-Match` names the tag, by the weak comparison (RFC 9110 section 13.1.2).
 * @param etag strong
 */
export function namesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
