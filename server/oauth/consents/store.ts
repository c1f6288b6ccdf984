import { and, count, desc, eq, gt, gte, inArray, isNull, lte, max, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import type { ScopeName } from "../../scopes";
import { knownScopes } from "../scope-list";

/** What a player allowed an application, and until when. */
export interface LiveConsent {
  readonly id: string;
  readonly scopes: readonly ScopeName[];
  readonly until: Date | null;
  readonly paused: boolean;
}

/** The same with the application's name, for the player. */
export interface ListedConsent extends LiveConsent {
  readonly application: {
    readonly clientId: string;
    readonly name: string;
    readonly clientUri: string;
    readonly verified: boolean;
  };
  readonly since: Date;
}

/** Calls that an application made in a player's name. */
export interface Usage {
  readonly clientId: string;
  readonly lastUsed: Date | null;
  readonly calls: number;
}

const isLive = (now: Date) => and(isNull(consents.revokedAt), or(isNull(consents.until), gt(consents.until, now)));

/** The live consent of an account to an application. */
export async function findLiveConsent(
  on: Queryable,
  pair: { readonly accountId: string; readonly clientId: string },
  now: Date,
): Promise<LiveConsent | undefined> {
  const [row] = await on
    .select({ id: consents.id, scopes: consents.scopes, until: consents.until, pausedAt: consents.pausedAt })
    .from(consents)
    .where(and(eq(consents.accountId, pair.accountId), eq(consents.clientId, pair.clientId), isLive(now)));
  return row && { id: row.id, scopes: knownScopes(row.scopes), until: row.until, paused: row.pausedAt !== null };
}

/**
 * Stores what a player just approved: a new consent, or the live one widened by the scopes and with the new end. There is one
 * live consent per account and application, which a unique index guards against two approvals at once.
 * @returns the id of the consent that now holds
 */
export async function saveConsent(
  tx: Queryable,
  consent: {
    readonly id: string;
    readonly accountId: string;
    readonly clientId: string;
    readonly scopes: readonly ScopeName[];
    readonly until: Date | null;
  },
  now: Date,
): Promise<string> {
  const { id, accountId, clientId, until } = consent;
  // An expired consent must not lend its scopes and grants to the new one.
  await tx
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(
      and(
        eq(consents.accountId, accountId),
        eq(consents.clientId, clientId),
        isNull(consents.revokedAt),
        lte(consents.until, now),
      ),
    );
  const [saved] = await tx
    .insert(consents)
    .values({ id, accountId, clientId, scopes: [...consent.scopes], until, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [consents.accountId, consents.clientId],
      targetWhere: isNull(consents.revokedAt),
      set: {
        scopes: sql`array(select distinct unnest(${consents.scopes} || excluded.scopes))`,
        until,
        updatedAt: now,
        pausedAt: null,
      },
    })
    .returning({ id: consents.id });
  if (!saved) throw new Error("The consent was not stored.");
  return saved.id;
}

/** The live consents of an account to applications that still exist, newest first. */
export async function listLiveConsents(on: Queryable, accountId: string, now: Date): Promise<ListedConsent[]> {
  const rows = await on
    .select({
      id: consents.id,
      scopes: consents.scopes,
      until: consents.until,
      pausedAt: consents.pausedAt,
      since: consents.createdAt,
      clientId: applications.clientId,
      name: applications.name,
      clientUri: applications.clientUri,
      verifiedAt: applications.verifiedAt,
    })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .where(and(eq(consents.accountId, accountId), isLive(now), isNull(applications.deletedAt)))
    .orderBy(desc(consents.createdAt), desc(consents.id));
  return rows.map(({ id, scopes, until, pausedAt, since, clientId, name, clientUri, verifiedAt }) => ({
    id,
    scopes: knownScopes(scopes),
    until,
    paused: pausedAt !== null,
    since,
    application: { clientId, name, clientUri, verified: verifiedAt !== null },
  }));
}

/** How these applications used their rights in the account's name, as far back as the request log goes. */
export async function listUsage(
  on: Queryable,
  of: { readonly accountId: string; readonly clientIds: readonly string[] },
  since: Date,
): Promise<Usage[]> {
  if (of.clientIds.length === 0) return [];
  const rows = await on
    .select({
      clientId: requestLog.clientId,
      lastUsed: max(requestLog.at),
      calls: count(sql`case when ${gte(requestLog.at, since)} then 1 end`),
    })
    .from(requestLog)
    .where(and(eq(requestLog.accountId, of.accountId), inArray(requestLog.clientId, [...of.clientIds])))
    .groupBy(requestLog.clientId);
  return rows.flatMap(({ clientId, ...row }) => (clientId === null ? [] : [{ ...row, clientId }]));
}

/** Ends one consent of an account with everything below it. @returns whose it was, or undefined when there was none live */
export async function endConsent(
  on: Queryable,
  consent: { readonly id: string; readonly accountId: string },
  now: Date,
): Promise<{ clientId: string } | undefined> {
  const [ended] = await on
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(and(eq(consents.id, consent.id), eq(consents.accountId, consent.accountId), isNull(consents.revokedAt)))
    .returning({ clientId: consents.clientId });
  return ended;
}

/** Ends all consents of an account. @returns the applications that had one */
export async function endAllConsents(on: Queryable, accountId: string, now: Date): Promise<string[]> {
  const ended = await on
    .update(consents)
    .set({ revokedAt: now, updatedAt: now })
    .where(and(eq(consents.accountId, accountId), isNull(consents.revokedAt)))
    .returning({ clientId: consents.clientId });
  return ended.map(({ clientId }) => clientId);
}
