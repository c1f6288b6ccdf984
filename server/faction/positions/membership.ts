import type { Database, Queryable } from "#db/client";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { abilityOfFlag, everyAbility, factionApiAbility } from "./contract";
import { findMembership, type MembershipRow } from "./store";

export interface Membership {
  readonly playerId: number;
  readonly name: string;
  readonly factionId: number | null;
  readonly factionName: string | null;
  readonly positionName: string | null;
  readonly abilities: readonly string[];
  readonly leader: boolean;
  readonly factionApiAccess: boolean;
  /** Decides which applications read the faction's data. */
  readonly decidesAccess: boolean;
}

/**
 * Reads faction and position from one row, so that rights never carry over into a new faction.
 * Never cached: read it at every decision. Unknown players have no faction.
 */
export async function readMembership(
  on: Database | Queryable,
  playerId: number,
): Promise<Membership> {
  const row = await findMembership(on, playerId);
  return row ? membershipOf(row) : { ...outside, playerId };
}

export type Member = Membership & { readonly factionId: number };

export async function findMember(
  on: Database | Queryable,
  playerId: number,
  factionId: number | null,
): Promise<Member | null> {
  const membership = await readMembership(on, playerId);
  return factionId !== null && membership.factionId === factionId
    ? { ...membership, factionId }
    : null;
}

/** @throws UnknownFaction for a player without one */
export async function ownMembership(on: Database | Queryable, playerId: number): Promise<Member> {
  const { factionId, ...membership } = await readMembership(on, playerId);
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  return { ...membership, factionId };
}

/** @throws UnknownFaction, InsufficientResourcePermissions for another faction */
export async function membershipIn(
  on: Database | Queryable,
  playerId: number,
  factionId: number,
): Promise<Member> {
  const membership = await ownMembership(on, playerId);
  if (membership.factionId !== factionId) throw InsufficientResourcePermissions.because();
  return membership;
}

const bankingAbilities: readonly string[] = [
  abilityOfFlag.give_money,
  abilityOfFlag.give_points,
  abilityOfFlag.adjust_balances,
];

/** Bankers see and cancel every request and may fulfil some. */
export const isBanker = ({ factionId, leader, abilities }: Membership): boolean =>
  factionId !== null && (leader || abilities.some((ability) => bankingAbilities.includes(ability)));

const givingAbility = {
  money_balance: abilityOfFlag.give_money,
  points_balance: abilityOfFlag.give_points,
} as const;

export const mayDecideForFaction = ({ factionId, leader, factionApiAccess }: Membership): boolean =>
  factionId !== null && (leader || factionApiAccess);

/** Leaders and members that adjust balances may pay out either currency. */
export function mayFulfil(
  { factionId, leader, abilities }: Membership,
  currency: keyof typeof givingAbility,
): boolean {
  if (factionId === null) return false;
  return (
    leader ||
    abilities.includes(abilityOfFlag.adjust_balances) ||
    abilities.includes(givingAbility[currency])
  );
}

/** Unknown positions allow nothing, leaders everything. Without a faction there are no rights. */
export function membershipOf(row: MembershipRow): Membership {
  const { playerId, name, factionId, factionName, positionName } = row;
  if (factionId === null) return { ...outside, playerId, name };
  const leader = leads(row);
  const abilities = leader ? everyAbility : (row.abilities ?? []);
  // Until positions are read, the key's own faction access counts.
  const granted = row.positionsRefreshed === null || abilities.includes(factionApiAbility);
  return {
    playerId,
    name,
    factionId,
    factionName,
    positionName,
    abilities,
    leader,
    factionApiAccess: row.factionApiAccess && granted,
    decidesAccess: leader || row.decidesAccess === true,
  };
}

const outside = {
  name: "",
  factionId: null,
  factionName: null,
  positionName: null,
  abilities: [],
  leader: false,
  factionApiAccess: false,
  decidesAccess: false,
} as const;

/** The newest sighting counts: another position since then ends the leadership. */
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

/** True by name alone, whatever the stored positions are. */
export const isLeaderPosition = (positionName: string): boolean =>
  leaderPositions.includes(positionName);
