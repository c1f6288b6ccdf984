import { and, count, countDistinct, eq, gt, gte, inArray, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accessTokens, consents, grants } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";

/** How an application stands: players with a live consent, live access tokens, calls of the last 24 hours. */
export interface ApplicationFigures {
  readonly users: number;
  readonly tokens: number;
  readonly calls: number;
  /** Of the calls, those that ended in an error. */
  readonly errors: number;
}

const dayMilliseconds = 86_400_000;
export const noFigures: ApplicationFigures = { users: 0, tokens: 0, calls: 0, errors: 0 };

/** How an application stands now. */
export async function applicationFigures(on: Queryable, clientId: string, now: Date): Promise<ApplicationFigures> {
  return (await listFigures(on, [clientId], now)).get(clientId) ?? noFigures;
}

/** How these applications stand now: three statements, however many there are. */
export async function listFigures(
  on: Queryable,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ApplicationFigures>> {
  if (clientIds.length === 0) return new Map();
  const asked = [...clientIds];
  const [people, live, traffic] = await Promise.all([
    listUsers(on, asked, now),
    listTokens(on, asked, now),
    listTraffic(on, asked, now),
  ]);
  const of = <Row extends { readonly clientId: string | null }>(rows: readonly Row[], clientId: string) =>
    rows.find((row) => row.clientId === clientId);
  return new Map(
    asked.map((clientId) => {
      const { calls = 0, errors = 0 } = of(traffic, clientId) ?? {};
      const users = of(people, clientId)?.users ?? 0;
      return [clientId, { users, tokens: of(live, clientId)?.tokens ?? 0, calls, errors }];
    }),
  );
}

const isLiveConsent = (clientIds: string[], now: Date) =>
  and(
    inArray(consents.clientId, clientIds),
    isNull(consents.revokedAt),
    or(isNull(consents.until), gt(consents.until, now)),
  );

const listUsers = (on: Queryable, clientIds: string[], now: Date) =>
  on
    .select({ clientId: consents.clientId, users: countDistinct(consents.accountId) })
    .from(consents)
    .where(isLiveConsent(clientIds, now))
    .groupBy(consents.clientId);

const listTokens = (on: Queryable, clientIds: string[], now: Date) =>
  on
    .select({ clientId: consents.clientId, tokens: count() })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .where(
      and(
        isLiveConsent(clientIds, now),
        isNull(grants.revokedAt),
        isNull(accessTokens.revokedAt),
        gt(accessTokens.expiresAt, now),
      ),
    )
    .groupBy(consents.clientId);

const listTraffic = (on: Queryable, clientIds: string[], now: Date) =>
  on
    .select({
      clientId: requestLog.clientId,
      calls: count(),
      errors: sql`count(*) filter (where ${requestLog.status} >= 400)`.mapWith(Number),
    })
    .from(requestLog)
    .where(and(inArray(requestLog.clientId, clientIds), gte(requestLog.at, new Date(now.getTime() - dayMilliseconds))))
    .groupBy(requestLog.clientId);
