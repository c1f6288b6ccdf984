import type { Database, Queryable } from "#db/client";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { abilityOfFlag, everyAbility, factionApiAbility } from "./contract";
import { findMembership, type MembershipRow } from "./store";

/** A player's place in their faction and the rights that go with it, as last known. */
export interface Membership {
  readonly playerId: number;
  readonly name: string;
  readonly factionId: number | null;
  readonly factionName: string | null;
  readonly positionName: string | null;
  /** As the game names them. */
  readonly abilities: readonly string[];
  readonly leader: boolean;
  /** Whether the player may read the faction's private data in the game. */
  readonly factionApiAccess: boolean;
}

/**
 * Reads who somebody is in their faction: faction and position of one row, so that nobody carries a right of an old faction
 * into a new one. Read it again wherever it decides; it is never remembered. Who is unknown stands outside.
 */
export async function readMembership(
  on: Database | Queryable,
  playerId: number,
): Promise<Membership> {
  const row = await findMembership(on, playerId);
  return row ? membershipOf(row) : { ...outside, playerId };
}

/** Somebody who belongs to a faction. */
export type Member = Membership & { readonly factionId: number };

/** The player's membership in a faction; null for who is not in it now, and where there is no faction. */
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

/** The player's membership in their own faction. @throws UnknownFaction for a player without one */
export async function ownMembership(on: Database | Queryable, playerId: number): Promise<Member> {
  const { factionId, ...membership } = await readMembership(on, playerId);
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  return { ...membership, factionId };
}

/**
 * The player's membership in the faction that they name, which must be their own.
 * @throws UnknownFaction, InsufficientResourcePermissions
 */
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

/** Whether somebody has banking permissions in their faction: sees and cancels every request, and may fulfil some. */
export const isBanker = ({ factionId, leader, abilities }: Membership): boolean =>
  factionId !== null && (leader || abilities.some((ability) => bankingAbilities.includes(ability)));

const givingAbility = {
  money_balance: abilityOfFlag.give_money,
  points_balance: abilityOfFlag.give_points,
} as const;

/** Whether somebody may decide for their faction: which chat server is its own, which scores it keeps and who sees them. */
export const mayDecideForFaction = ({ factionId, leader, factionApiAccess }: Membership): boolean =>
  factionId !== null && (leader || factionApiAccess);

/** Whether somebody may pay out this kind of balance. Who adjusts balances, and who leads, may pay out either. */
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

/**
 * Draws the conclusions from what is stored. A position that is not stored allows nothing; a leader may do everything. Without
 * a faction there is no right at all.
 */
export function membershipOf(row: MembershipRow): Membership {
  const { playerId, name, factionId, factionName, positionName } = row;
  if (factionId === null) return { ...outside, playerId, name };
  const leader = leads(row);
  const abilities = leader ? everyAbility : (row.abilities ?? []);
  // Before positions were read once, only the game's word about the player's key tells.
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
  };
}

/** The membership of a player of whom nothing is stored. */
const outside = {
  name: "",
  factionId: null,
  factionName: null,
  positionName: null,
  abilities: [],
  leader: false,
  factionApiAccess: false,
} as const;

/** The newest word counts: who was seen in another position since leads no more. */
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

/** Whether the holder of this position leads the faction, whatever is stored of positions. */
export const isLeaderPosition = (positionName: string): boolean =>
  leaderPositions.includes(positionName);
