import { createHmac } from "node:crypto";
import { openWith, sealWith } from "../../platform/crypto/keyring";
import type { MintedTokens } from "../tokens/token-reply";

/**
 * The key that only the presented refresh token yields. We store nothing of that token but a hash, so that neither we nor a
 * copy of the database can open what was sealed; the client that lost the answer can, by presenting the token again. The token is
 * uniformly random, so that one block of HKDF's second half is enough (RFC 5869 section 3.3).
 */
const keyFrom = (presented: string): Uint8Array =>
  createHmac("sha256", presented).update("adjutant refresh reply\u0001").digest();

/** Seals the tokens of a reply for whoever presents the same refresh token again. */
export const sealReply = (
  presented: string,
  hash: string,
  tokens: MintedTokens & { readonly refresh: string },
): string => sealWith(keyFrom(presented), `${tokens.access} ${tokens.refresh}`, hash);

/** The reverse. @throws when the seal is not this token's */
export function openReply(
  presented: string,
  hash: string,
  sealed: string,
): MintedTokens & { readonly refresh: string } {
  const [access = "", refresh = ""] = openWith(keyFrom(presented), sealed, hash).split(" ");
  return { access, refresh };
}
