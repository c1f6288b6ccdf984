import type { Database, Queryable } from "#db/client";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { everyAbility } from "./contract";
import { type Membership, membershipOf, outside } from "./membership";
import { findMembership } from "./store";

/**
 * Reads who somebody is in their faction: faction and position of one row, so that nobody carries a right of an old faction
 * into a new one. Read it again wherever it decides; it is never remembered. Who is unknown stands outside.
 */
export async function readMembership(on: Database | Queryable, playerId: number): Promise<Membership> {
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
  return factionId !== null && membership.factionId === factionId ? { ...membership, factionId } : null;
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
export async function membershipIn(on: Database | Queryable, playerId: number, factionId: number): Promise<Member> {
  const membership = await ownMembership(on, playerId);
  if (membership.factionId !== factionId) throw InsufficientResourcePermissions.because();
  return membership;
}

/** A position as the game names it. */
export interface PositionText {
  readonly name: string;
  readonly isDefault: boolean;
  readonly abilities: readonly string[];
}

/** They exist in every faction, and the game does not list them. */
const always: readonly PositionText[] = [
  { name: "Leader", isDefault: false, abilities: everyAbility },
  { name: "Co-leader", isDefault: false, abilities: everyAbility },
  { name: "Recruit", isDefault: false, abilities: [] },
];

/** All positions of a faction, each name once: those that the game lists, and those that every faction has. */
export function storedPositions(listed: readonly PositionText[]): PositionText[] {
  const byName = new Map([...listed, ...always].map((position) => [position.name, position]));
  return [...byName.values()];
}
