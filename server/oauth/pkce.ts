import { createHash, timingSafeEqual } from "node:crypto";

// RFC 7636 section 4.2: the base64url of a SHA-256 is 43 characters.
const challengeForm = /^[A-Za-z0-9_-]{43}$/;
// RFC 7636 section 4.1: code-verifier = 43*128unreserved.
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

export const isCodeChallenge = (text: string): boolean => challengeForm.test(text);

/** S256 (RFC 7636 section 4.6). */
export function verifierFits(verifier: string, challenge: string): boolean {
  if (!verifierForm.test(verifier)) return false;
  const made = createHash("sha256").update(verifier).digest();
  const asked = Buffer.from(challenge, "base64url");
  return made.length === asked.length && timingSafeEqual(made, asked);
}
