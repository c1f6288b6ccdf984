import { and, asc, desc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationMembers, applications, applicationTesters } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { webhookEndpoints } from "#db/schema/webhooks";
import { columnsOf, first, hasRows } from "#db/select";
import { lockApplicationRow } from "../store";
import { isSuccessionCandidate } from "./permitted";

/** `joinedAt` is null for an invitation. */
export type TeamMember = Awaited<ReturnType<typeof listMembers>>[number];

export interface MemberKey {
  readonly clientId: string;
  readonly accountId: string;
}

const isMember = ({ clientId, accountId }: MemberKey) =>
  and(eq(applicationMembers.clientId, clientId), eq(applicationMembers.accountId, accountId));

const named = { playerId: players.id, name: players.name };

const selectMembers = (on: Queryable) =>
  on
    .select({
      ...columnsOf(applicationMembers, ["clientId", "accountId", "role"]),
      ...columnsOf(applicationMembers, ["invitedAt", "joinedAt", "offeredAt"]),
      ...named,
    })
    .from(applicationMembers)
    .innerJoin(accounts, eq(accounts.id, applicationMembers.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId));

export const listMembers = (on: Queryable, clientId: string) =>
  selectMembers(on)
    .where(eq(applicationMembers.clientId, clientId))
    .orderBy(
      sql`${applicationMembers.joinedAt} nulls last`,
      asc(applicationMembers.invitedAt),
      asc(players.id),
    );

export const findMember = (
  on: Queryable,
  { clientId, playerId }: { readonly clientId: string; readonly playerId: number },
) =>
  first(
    selectMembers(on).where(
      and(eq(applicationMembers.clientId, clientId), eq(players.id, playerId)),
    ),
  );

export const findSuccessor = (tx: Queryable, clientId: string) =>
  first(
    selectMembers(tx)
      .where(and(eq(applicationMembers.clientId, clientId), isSuccessionCandidate))
      .orderBy(
        desc(eq(applicationMembers.role, "developer")),
        asc(applicationMembers.joinedAt),
        asc(players.id),
      )
      .limit(1),
  );

/** Players see these names, so invitations are left out. */
export async function listMemberNames(on: Queryable, clientId: string): Promise<string[]> {
  const { joinedAt } = applicationMembers;
  const rows = await selectMembers(on)
    .where(and(eq(applicationMembers.clientId, clientId), isNotNull(joinedAt)))
    .orderBy(joinedAt, players.id);
  return rows.map(({ name }) => name);
}

export const listInvitationsOf = (database: Database, accountId: string) =>
  database
    .statement("invitations", ({ query }) => selectInvitations(query).prepare("invitations"))
    .execute({ accountId });

const selectInvitations = (on: Queryable) =>
  on
    .select({
      clientId: applications.clientId,
      application: applications.name,
      ownerName: players.name,
      role: applicationMembers.role,
      invitedAt: applicationMembers.invitedAt,
    })
    .from(applicationMembers)
    .innerJoin(applications, eq(applications.clientId, applicationMembers.clientId))
    .innerJoin(accounts, eq(accounts.id, applications.ownerId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(
      and(
        eq(applicationMembers.accountId, sql.placeholder("accountId")),
        isNull(applicationMembers.joinedAt),
        isNull(applications.deletedAt),
      ),
    )
    .orderBy(desc(applicationMembers.invitedAt), asc(applications.clientId));

export const findInvitee = (on: Queryable, playerId: number) =>
  first(
    on
      .select({ accountId: accounts.id, name: players.name })
      .from(accounts)
      .innerJoin(players, eq(players.id, accounts.playerId))
      .where(and(eq(accounts.playerId, playerId), isNull(accounts.bannedAt))),
  );

/**
 * Locks the given accounts and the owner's before the application, in the lock order of a ban.
 * @returns the given accounts that still exist and are not banned
 */
export async function lockTeam(
  tx: Queryable,
  clientId: string,
  accountIds: readonly string[],
): Promise<readonly string[]> {
  const owner = tx
    .select({ id: applications.ownerId })
    .from(applications)
    .where(eq(applications.clientId, clientId));
  const locked = await tx
    .select({ id: accounts.id, bannedAt: accounts.bannedAt })
    .from(accounts)
    .where(or(inArray(accounts.id, [...accountIds]), inArray(accounts.id, owner)))
    .orderBy(accounts.id)
    .for("no key update");
  await lockApplicationRow(tx, clientId);
  return locked.flatMap(({ id, bannedAt }) => (bannedAt || !accountIds.includes(id) ? [] : [id]));
}

export async function insertMember(
  tx: Queryable,
  member: typeof applicationMembers.$inferInsert,
): Promise<void> {
  await tx.insert(applicationMembers).values(member);
}

export async function updateMember(
  tx: Queryable,
  key: MemberKey,
  changes: Partial<Pick<TeamMember, "role" | "joinedAt" | "offeredAt">>,
): Promise<void> {
  await tx.update(applicationMembers).set(changes).where(isMember(key));
}

/** @returns false if there was no offer */
export const withdrawTransferOffers = (tx: Queryable, clientId: string): Promise<boolean> =>
  hasRows(
    tx
      .update(applicationMembers)
      .set({ offeredAt: null })
      .where(
        and(eq(applicationMembers.clientId, clientId), isNotNull(applicationMembers.offeredAt)),
      )
      .returning({ accountId: applicationMembers.accountId }),
  );

export async function deleteMember(tx: Queryable, key: MemberKey): Promise<void> {
  await tx.delete(applicationMembers).where(isMember(key));
}

export async function deleteTeam(tx: Queryable, clientId: string): Promise<void> {
  await tx.delete(applicationMembers).where(eq(applicationMembers.clientId, clientId));
}

/** Includes invitations. Sorted in the order in which applications are locked. */
export const listMemberships = (on: Queryable, accountId: string) =>
  selectMembers(on)
    .where(eq(applicationMembers.accountId, accountId))
    .orderBy(asc(applicationMembers.clientId));

/** Pauses endpoints with a URL that the account set, or a secret that it saw. @returns their ids */
export async function pauseEndpointsOf(
  tx: Queryable,
  { clientId, accountId }: MemberKey,
  now: Date,
): Promise<string[]> {
  const { urlBy, secretBy, generation } = webhookEndpoints;
  const paused = await tx
    .update(webhookEndpoints)
    .set({ state: "paused", reason: null, stateSince: now, generation: sql`${generation} + 1` })
    .where(
      and(
        eq(webhookEndpoints.clientId, clientId),
        eq(webhookEndpoints.state, "enabled"),
        or(eq(urlBy, accountId), eq(secretBy, accountId)),
      ),
    )
    .returning({ id: webhookEndpoints.id });
  return paused.map(({ id }) => id);
}

export const listTesters = (on: Queryable, clientId: string) =>
  on
    .select({ ...named, addedAt: applicationTesters.addedAt })
    .from(applicationTesters)
    .innerJoin(accounts, eq(accounts.id, applicationTesters.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(eq(applicationTesters.clientId, clientId))
    .orderBy(asc(applicationTesters.addedAt), asc(players.id));

export const findTester = (
  on: Queryable,
  { clientId, playerId }: { readonly clientId: string; readonly playerId: number },
) =>
  first(
    on
      .select({ accountId: applicationTesters.accountId })
      .from(applicationTesters)
      .innerJoin(accounts, eq(accounts.id, applicationTesters.accountId))
      .where(and(eq(applicationTesters.clientId, clientId), eq(accounts.playerId, playerId))),
  );

export async function insertTester(
  tx: Queryable,
  tester: typeof applicationTesters.$inferInsert,
): Promise<void> {
  await tx.insert(applicationTesters).values(tester);
}

/** @returns false without such a test player */
export const deleteTester = (tx: Queryable, { clientId, accountId }: MemberKey): Promise<boolean> =>
  hasRows(
    tx
      .delete(applicationTesters)
      .where(
        and(eq(applicationTesters.clientId, clientId), eq(applicationTesters.accountId, accountId)),
      )
      .returning({ accountId: applicationTesters.accountId }),
  );

export async function deleteTesters(tx: Queryable, clientId: string): Promise<void> {
  await tx.delete(applicationTesters).where(eq(applicationTesters.clientId, clientId));
}
