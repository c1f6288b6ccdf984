import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { openPostgres } from "#db/client";
import { insertGrant } from "#server/oauth/grants/store";
import { createKeyring } from "#server/platform/keyring";
import { mintSecret } from "#server/platform/secret-text";
import { insertRefreshToken } from "./insert-tokens";

const hour = 3_600_000;

/**
 * Begins refresh chains below the one consent of the database, each a grant of its own, as many devices would. They are
 * written to the database: so many authorizations would meet the limit of the public door.
 * @returns the first refresh token and the grant of each
 */
export async function beginChains(
  from: { databaseUrl: string; serverSecret: string },
  count: number,
): Promise<{ refreshToken: string; grantId: string; hash: string }[]> {
  const database = openPostgres({ url: from.databaseUrl });
  const keyring = createKeyring([from.serverSecret]);
  const answer = await database.query.execute(
    sql`select id, client_id as "clientId" from consents`,
  );
  const [consent] = z.array(z.object({ id: z.string(), clientId: z.string() })).parse(answer);
  const now = new Date();
  const later = new Date(now.getTime() + hour);
  const chains = Array.from({ length: count }, () => {
    const refreshToken = mintSecret("refresh", (bytes) => new Uint8Array(randomBytes(bytes)));
    return { refreshToken, grantId: randomUUID(), print: keyring.hmac("token", refreshToken) };
  });
  await database.transaction(async (tx) => {
    for (const { grantId, print } of chains) {
      const under = { consentId: consent?.id ?? "", clientId: consent?.clientId ?? "" };
      const grant = { id: grantId, ...under, scopes: ["identity" as const] };
      await insertGrant(tx, { ...grant, createdAt: now, absoluteExpiry: later });
      await insertRefreshToken(tx, { print, grantId, issuedAt: now, expiresAt: later });
    }
  });
  await database.close();
  return chains.map(({ refreshToken, grantId, print }) => ({
    refreshToken,
    grantId,
    hash: print.hash,
  }));
}
