import type { Queryable } from "#db/client";
import { accessTokens, refreshTokens } from "#db/schema/oauth";
import type { KeyedHash } from "#server/platform/keyring";
import type { ScopeName } from "#server/scopes";

interface Token {
  readonly print: KeyedHash;
  readonly grantId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

const rowOf = ({ print, grantId, issuedAt, expiresAt }: Token) => ({
  hash: print.hash,
  hashKeyId: print.keyId,
  ...{ grantId, issuedAt, expiresAt },
});

export async function insertRefreshToken(on: Queryable, token: Token): Promise<void> {
  await on.insert(refreshTokens).values(rowOf(token));
}

export async function insertAccessToken(
  on: Queryable,
  token: Token & { readonly scopes: readonly ScopeName[] },
): Promise<void> {
  await on.insert(accessTokens).values({ ...rowOf(token), scopes: [...token.scopes] });
}
