import type { Database, Queryable } from "#db/client";
import {
  InsufficientFactionPermissions,
  InsufficientResourcePermissions,
  UnknownFaction,
} from "#server/failures";
import { abilityByFlag, everyAbility, factionApiAbility } from "../contract";
import { findMembership, type MembershipRow } from "./store";

export type Member = NonNullable<ReturnType<typeof membershipOf>>;

/**
 * Faction and position come from one row, so that rights never carry over into a new faction. Read
 * the membership at every decision; do not cache it.
 * @returns null without a faction
 */
export async function readMembership(
  on: Database | Queryable,
  playerId: number,
): Promise<Member | null> {
  const row = await findMembership(on, playerId);
  return row ? membershipOf(row) : null;
}

export async function findMember(
  on: Database | Queryable,
  playerId: number,
  factionId: number | null,
): Promise<Member | null> {
  const member = await readMembership(on, playerId);
  return member?.factionId === factionId ? member : null;
}

/** @throws UnknownFaction for a player without a faction */
export async function requireMembership(
  on: Database | Queryable,
  playerId: number,
): Promise<Member> {
  const member = await readMembership(on, playerId);
  if (!member) throw UnknownFaction.because({ message: "You are not in a faction." });
  return member;
}

/** @throws UnknownFaction, InsufficientResourcePermissions for another faction */
export async function requireMembershipIn(
  on: Database | Queryable,
  playerId: number,
  factionId: number,
): Promise<Member> {
  const member = await requireMembership(on, playerId);
  if (member.factionId !== factionId) throw InsufficientResourcePermissions.because();
  return member;
}

/**
 * @param act ends the message, for example "choose the faction's chat server"
 * @throws UnknownFaction, InsufficientFactionPermissions
 */
export async function requireMayDecide(
  on: Database | Queryable,
  playerId: number,
  act: string,
): Promise<Member> {
  const member = await requireMembership(on, playerId);
  if (!mayDecideForFaction(member))
    throw InsufficientFactionPermissions.because({
      message: `Only leaders, and members with faction API access, ${act}.`,
    });
  return member;
}

const bankingAbilities: readonly string[] = [
  abilityByFlag.give_money,
  abilityByFlag.give_points,
  abilityByFlag.adjust_balances,
];

/**
 * A banker sees and cancels every request of the faction, but pays only what `mayFulfil` allows.
 */
export const isBanker = (member: Member | null): boolean =>
  member !== null &&
  (member.leader || member.abilities.some((ability) => bankingAbilities.includes(ability)));

const givingAbility = {
  money_balance: abilityByFlag.give_money,
  points_balance: abilityByFlag.give_points,
} as const;

export const mayDecideForFaction = ({ leader, factionApiAccess }: Member): boolean =>
  leader || factionApiAccess;

export const mayFulfil = (
  { leader, abilities }: Member,
  currency: keyof typeof givingAbility,
): boolean =>
  leader ||
  abilities.includes(abilityByFlag.adjust_balances) ||
  abilities.includes(givingAbility[currency]);

/** An unknown position allows nothing, leadership everything. */
export function membershipOf(row: MembershipRow) {
  const { playerId, factionId, positionName } = row;
  if (factionId === null) return null;
  const leader = leads(row);
  const abilities = leader ? everyAbility : (row.abilities ?? []);
  // Until the faction's positions are read, the key's faction access alone counts.
  const granted = row.positionsRefreshed === null || abilities.includes(factionApiAbility);
  return {
    playerId,
    factionId,
    factionName: row.factionName ?? `Faction ${factionId}`,
    positionName,
    abilities,
    leader,
    factionApiAccess: row.factionApiAccess && granted,
    /** True if the member decides which applications read the faction's data. */
    decidesAccess: leader || row.decidesAccess === true,
  };
}

/** A sighting in another position, newer than the list of leaders, ends the leadership. */
function leads({
  playerId,
  positionName,
  factionSeen,
  leaderId,
  coLeaderId,
  leadersSeen,
}: MembershipRow): boolean {
  if (positionName !== null && isLeaderPosition(positionName)) return true;
  if (leaderId !== playerId && coLeaderId !== playerId) return false;
  if (positionName === null || factionSeen === null) return true;
  return leadersSeen !== null && leadersSeen.getTime() >= factionSeen.getTime();
}

const leaderPositions: readonly string[] = ["Leader", "Co-leader"];

export const isLeaderPosition = (positionName: string): boolean =>
  leaderPositions.includes(positionName);
