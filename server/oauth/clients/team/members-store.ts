import { and, asc, desc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applicationMembers, applications } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { webhookEndpoints } from "#db/schema/webhooks";
import type { NamedPlayer } from "#server/users/player";
import { lockApplicationRow } from "../store";
import { maySucceed } from "./permitted";
import type { MemberRole } from "./rights";

export interface TeamMember extends NamedPlayer {
  readonly clientId: string;
  readonly accountId: string;
  readonly role: MemberRole;
  readonly invitedAt: Date;
  /** Null: invited. */
  readonly joinedAt: Date | null;
  readonly offeredAt: Date | null;
}

export interface MemberKey {
  readonly clientId: string;
  readonly accountId: string;
}

const isMember = ({ clientId, accountId }: MemberKey) =>
  and(eq(applicationMembers.clientId, clientId), eq(applicationMembers.accountId, accountId));

const selectMembers = (on: Queryable) =>
  on
    .select({
      clientId: applicationMembers.clientId,
      accountId: applicationMembers.accountId,
      playerId: players.id,
      name: players.name,
      role: applicationMembers.role,
      invitedAt: applicationMembers.invitedAt,
      joinedAt: applicationMembers.joinedAt,
      offeredAt: applicationMembers.offeredAt,
    })
    .from(applicationMembers)
    .innerJoin(accounts, eq(accounts.id, applicationMembers.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId));

/** Longest-standing first; invitations last. */
export const listMembers = (on: Queryable, clientId: string): Promise<TeamMember[]> =>
  selectMembers(on)
    .where(eq(applicationMembers.clientId, clientId))
    .orderBy(
      sql`${applicationMembers.joinedAt} nulls last`,
      asc(applicationMembers.invitedAt),
      asc(players.id),
    );

export async function findMember(
  on: Queryable,
  { clientId, playerId }: { readonly clientId: string; readonly playerId: number },
): Promise<TeamMember | undefined> {
  const [row] = await selectMembers(on).where(
    and(eq(applicationMembers.clientId, clientId), eq(players.id, playerId)),
  );
  return row;
}

/** The longest-standing developer, else the longest-standing viewer. */
export async function findSuccessor(
  tx: Queryable,
  clientId: string,
): Promise<TeamMember | undefined> {
  const [row] = await selectMembers(tx)
    .where(and(eq(applicationMembers.clientId, clientId), maySucceed))
    .orderBy(
      desc(eq(applicationMembers.role, "developer")),
      asc(applicationMembers.joinedAt),
      asc(players.id),
    )
    .limit(1);
  return row;
}

/** Joined members, as players see them. */
export async function nameTeam(on: Queryable, clientId: string): Promise<string[]> {
  const { joinedAt } = applicationMembers;
  const rows = await selectMembers(on)
    .where(and(eq(applicationMembers.clientId, clientId), isNotNull(joinedAt)))
    .orderBy(joinedAt, players.id);
  return rows.map(({ name }) => name);
}

export interface Invitation {
  readonly clientId: string;
  readonly application: string;
  readonly ownerName: string;
  readonly role: MemberRole;
  readonly invitedAt: Date;
}

export const listInvitationsOf = (database: Database, accountId: string): Promise<Invitation[]> =>
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

/** A player that signed in here. */
export async function findInvitee(
  on: Queryable,
  playerId: number,
): Promise<{ readonly accountId: string; readonly name: string } | undefined> {
  const [row] = await on
    .select({ accountId: accounts.id, name: players.name })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(and(eq(accounts.playerId, playerId), isNull(accounts.bannedAt)));
  return row;
}

/**
 * Accounts, the owner's included, before the application, as in a ban or a deletion.
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
export async function withdrawOffers(tx: Queryable, clientId: string): Promise<boolean> {
  const withdrawn = await tx
    .update(applicationMembers)
    .set({ offeredAt: null })
    .where(and(eq(applicationMembers.clientId, clientId), isNotNull(applicationMembers.offeredAt)))
    .returning({ accountId: applicationMembers.accountId });
  return withdrawn.length > 0;
}

export async function deleteMember(tx: Queryable, key: MemberKey): Promise<void> {
  await tx.delete(applicationMembers).where(isMember(key));
}

/** Invitations included. */
export async function deleteTeam(tx: Queryable, clientId: string): Promise<void> {
  await tx.delete(applicationMembers).where(eq(applicationMembers.clientId, clientId));
}

/** Invitations included, in the order of locks. */
export const listMemberships = (on: Queryable, accountId: string): Promise<TeamMember[]> =>
  selectMembers(on)
    .where(eq(applicationMembers.accountId, accountId))
    .orderBy(asc(applicationMembers.clientId));

/** With a URL that the account set, or a secret that it saw. @returns their ids */
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
