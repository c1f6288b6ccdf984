import { eq, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accessTokens, consents, grants } from "#db/schema/oauth";
import type { DeadToken } from "#db/schema/operations";
import { endOf } from "../grants/grant-status";

/** Whose an access token is or was. */
export interface TokenOwner {
  readonly clientId: string;
  readonly accountId: string;
  /** How it ended by the given instant; null where it lives, or where only others may know. */
  readonly ended: DeadToken | null;
}

/** The owners of these tokens, live or dead, by hash: of those whose rows still stand. */
export async function findTokenOwners(
  on: Queryable,
  hashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, TokenOwner>> {
  if (hashes.length === 0) return new Map();
  const rows = await on
    .select({
      hash: accessTokens.hash,
      clientId: consents.clientId,
      accountId: consents.accountId,
      expiresAt: accessTokens.expiresAt,
      revokedAt: accessTokens.revokedAt,
      absoluteExpiry: grants.absoluteExpiry,
      grantRevokedAt: grants.revokedAt,
      revokedFor: grants.revokedFor,
      until: consents.until,
      consentRevokedAt: consents.revokedAt,
    })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .where(inArray(accessTokens.hash, [...hashes]));
  return new Map(rows.map(({ hash, ...row }) => [hash, { ...row, ended: endingOf(row, now) }]));
}

type Ends = Readonly<
  Record<"expiresAt" | "absoluteExpiry", Date> &
    Record<"revokedAt" | "grantRevokedAt" | "until" | "consentRevokedAt", Date | null>
> & { readonly revokedFor: string | null };

/** The strongest cause first: who lost the grant is not helped by a refresh. */
function endingOf(row: Ends, now: Date): DeadToken | null {
  const revoked = row.grantRevokedAt ?? row.consentRevokedAt;
  if (revoked) return { ended: "revoked", at: revoked.toISOString(), by: row.revokedFor ?? "player" };
  if (row.revokedAt) return { ended: "replaced", at: row.revokedAt.toISOString() };
  const end = row.expiresAt < endOf(row) ? row.expiresAt : endOf(row);
  return end <= now ? { ended: "expired", at: end.toISOString() } : null;
}
