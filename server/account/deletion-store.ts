import { and, count, countDistinct, eq, gt, isNull, ne, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, gameKeys, sessions } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import {
  applications,
  authorizationCodes,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import { idempotencyRecords } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { battleStats, statEntries } from "#db/schema/stats";
import { applicationMarks, consentMarks, isNotIn } from "#server/oauth/grants/grant-status";

/** The counts of things that deleting an account cuts. */
export interface DeletionFigures {
  /** Applications that the player allowed something. */
  readonly connected: number;
  /** Applications that the player registered. */
  readonly applications: number;
  /** Other players who use those. */
  readonly users: number;
  readonly gameKeys: number;
  readonly sessions: number;
  /** Requests to a vault that wait for a banker. */
  readonly payments: number;
}

/** Counts the things that deleting the account would cut now. */
export async function readDeletionFigures(
  on: Queryable,
  accountId: string,
  now: Date,
): Promise<DeletionFigures> {
  const live = isNotIn(["ended"], { ...consentMarks, ...applicationMarks }, now);
  const own = and(eq(applications.ownerId, accountId), isNotIn(["ended"], applicationMarks, now));
  const [allowed] = await on
    .select({ connected: count() })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .where(and(eq(consents.accountId, accountId), live));
  const [registered] = await on.select({ applications: count() }).from(applications).where(own);
  const [used] = await on
    .select({ users: countDistinct(consents.accountId) })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .where(and(eq(applications.ownerId, accountId), live, ne(consents.accountId, accountId)));
  const [keys] = await on
    .select({ gameKeys: count() })
    .from(gameKeys)
    .where(eq(gameKeys.accountId, accountId));
  const [signIns] = await on
    .select({ sessions: count() })
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)));
  const payments = await on.$count(
    vaultRequests,
    and(
      eq(
        vaultRequests.playerId,
        on.select({ id: accounts.playerId }).from(accounts).where(eq(accounts.id, accountId)),
      ),
      eq(vaultRequests.status, "pending"),
      or(isNull(vaultRequests.expiresAt), gt(vaultRequests.expiresAt, now)),
    ),
  );
  return {
    payments,
    connected: allowed?.connected ?? 0,
    applications: registered?.applications ?? 0,
    users: used?.users ?? 0,
    gameKeys: keys?.gameKeys ?? 0,
    sessions: signIns?.sessions ?? 0,
  };
}

/**
 * Takes hold of the account and of all codes and refresh tokens below it, in the order in which redemptions do, so that those
 * under way are finished first and nobody waits in a circle. @returns the player; undefined where there is no such account
 */
export async function lockAccountAndTokens(
  tx: Queryable,
  accountId: string,
): Promise<{ playerId: number } | undefined> {
  const below = (table: typeof authorizationCodes | typeof refreshTokens) =>
    tx
      .select({ hash: table.hash })
      .from(table)
      .innerJoin(grants, eq(grants.id, table.grantId))
      .innerJoin(consents, eq(consents.id, grants.consentId))
      .where(eq(consents.accountId, accountId))
      .for("update", { of: table });
  await below(authorizationCodes);
  await below(refreshTokens);
  const [row] = await tx
    .select({ playerId: accounts.playerId })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("update");
  return row;
}

/** Owns what deleted accounts registered, so that names in what their applications left behind stay readable. Nobody's account. */
const formerOwner = {
  id: "00000000-0000-4000-8000-000000000000",
  playerId: 0,
  name: "Deleted developers",
} as const;

/** Hands the applications of an account, which have all ended, over to nobody. */
export async function disownApplications(
  tx: Queryable,
  accountId: string,
  now: Date,
): Promise<void> {
  const { id, playerId, name } = formerOwner;
  const own = eq(applications.ownerId, accountId);
  const [any] = await tx
    .select({ clientId: applications.clientId })
    .from(applications)
    .where(own)
    .limit(1);
  if (!any) return;
  await tx.insert(players).values({ id: playerId, name }).onConflictDoNothing();
  // Banned, so that no way of signing in ever opens it.
  await tx
    .insert(accounts)
    .values({ id, playerId, createdAt: now, bannedAt: now })
    .onConflictDoNothing();
  await tx.update(applications).set({ ownerId: id }).where(own);
}

/**
 * Removes the account, and with it by foreign key: sessions, keys, notices, chat link, second factor, pending requests, consents
 * with their grants, codes and tokens. What it left under its bare id without a key goes too. The player stays, as one of the game.
 */
export async function deleteAccountRow(
  tx: Queryable,
  account: { accountId: string; playerId: number },
): Promise<void> {
  const { accountId, playerId } = account;
  await tx.delete(idempotencyRecords).where(eq(idempotencyRecords.accountId, accountId));
  // Writers that wait for the keys or the stats finish first; only then is it certain that all of it goes.
  await tx.delete(accounts).where(eq(accounts.id, accountId));
  await tx.delete(battleStats).where(eq(battleStats.playerId, playerId));
  // Scores that were derived of others stay, without the player whose score they came from.
  await tx
    .update(statEntries)
    .set({ contributorId: null })
    .where(eq(statEntries.contributorId, playerId));
  await tx.update(players).set({ factionApiAccess: false }).where(eq(players.id, playerId));
}
