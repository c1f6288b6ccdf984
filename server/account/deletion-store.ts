import {
  and,
  count,
  countDistinct,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  ne,
  not,
  or,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, gameKeys, sessions } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import {
  applicationMembers,
  applications,
  authorizationCodes,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import { idempotencyRecords } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { battleStats, statEntries } from "#db/schema/stats";
import { isSuccessionCandidate } from "#server/oauth/clients/team/permitted";
import {
  applicationStateColumns,
  consentStateColumns,
  isNotInState,
} from "#server/oauth/grants/grant-status";

export async function readDeletionFigures(on: Queryable, accountId: string, now: Date) {
  const live = isNotInState(["ended"], { ...consentStateColumns, ...applicationStateColumns }, now);
  const own = and(
    eq(applications.ownerId, accountId),
    isNotInState(["ended"], applicationStateColumns, now),
  );
  const taken = exists(
    on
      .select({ role: applicationMembers.role })
      .from(applicationMembers)
      .innerJoin(accounts, eq(accounts.id, applicationMembers.accountId))
      .where(and(eq(applicationMembers.clientId, applications.clientId), isSuccessionCandidate)),
  );
  /** Applications with a consent of the player. */
  const [allowed] = await on
    .select({ connected: count() })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .where(and(eq(consents.accountId, accountId), live));
  /** Other players of the applications that end. */
  const [used] = await on
    .select({ users: countDistinct(consents.accountId) })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .where(and(own, not(taken), live, ne(consents.accountId, accountId)));
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
    applications: await on.$count(applications, and(own, not(taken))),
    handedOver: await on.$count(applications, and(own, taken)),
    users: used?.users ?? 0,
    gameKeys: await on.$count(gameKeys, eq(gameKeys.accountId, accountId)),
    sessions: await on.$count(
      sessions,
      and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)),
    ),
  };
}

/**
 * Locks the account and its codes and refresh tokens in the order of redemptions, which avoids
 * deadlocks. @returns undefined without such an account
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
  // Locks in one order, because two owners, each a successor of the other, may be deleted at once.
  const members = tx
    .select({ id: applicationMembers.accountId })
    .from(applicationMembers)
    .innerJoin(applications, eq(applications.clientId, applicationMembers.clientId))
    .where(eq(applications.ownerId, accountId));
  const rows = await tx
    .select({ id: accounts.id, playerId: accounts.playerId })
    .from(accounts)
    .where(or(eq(accounts.id, accountId), inArray(accounts.id, members)))
    .orderBy(accounts.id)
    .for("no key update");
  // Only the owner gets the full lock, so that notices to members are not blocked.
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("update");
  return rows.find(({ id }) => id === accountId);
}

/** Owns the applications of deleted accounts, for their names in history; not a real account. */
const formerOwner = {
  id: "00000000-0000-4000-8000-000000000000",
  playerId: 0,
  name: "Deleted developers",
} as const;

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
  // Banned, so that no sign-in ever opens the account.
  await tx
    .insert(accounts)
    .values({ id, playerId, createdAt: now, bannedAt: now })
    .onConflictDoNothing();
  await tx.update(applications).set({ ownerId: id }).where(own);
}

/**
 * Foreign keys cascade from the account; rows without a foreign key are deleted here. The player
 * stays, as part of the game.
 */
export async function deleteAccountRow(
  tx: Queryable,
  account: { accountId: string; playerId: number },
): Promise<void> {
  const { accountId, playerId } = account;
  await tx.delete(idempotencyRecords).where(eq(idempotencyRecords.accountId, accountId));
  // Waits for concurrent writers of keys or stats, so that their rows are deleted too.
  await tx.delete(accounts).where(eq(accounts.id, accountId));
  await tx.delete(battleStats).where(eq(battleStats.playerId, playerId));
  // Scores that the player contributed stay, without the reference to the player.
  await tx
    .update(statEntries)
    .set({ contributorId: null })
    .where(eq(statEntries.contributorId, playerId));
  await tx.update(players).set({ factionApiAccess: false }).where(eq(players.id, playerId));
}
