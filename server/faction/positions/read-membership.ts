import type { Queryable } from "#db/client";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { type Membership, membershipOf, outside } from "./membership";
import { findMembership } from "./store";

/**
 * Reads who somebody is in their faction: faction and position of one row, so that nobody carries a right of an old faction
 * into a new one. Read it again wherever it decides; it is never remembered. Who is unknown stands outside.
 */
export async function readMembership(on: Queryable, playerId: number): Promise<Membership> {
  const row = await findMembership(on, playerId);
  return row ? membershipOf(row) : { ...outside, playerId };
}

/** Somebody who belongs to a faction. */
export type Member = Membership & { readonly factionId: number };

/** The player's membership in their own faction. @throws UnknownFaction for a player without one */
export async function ownMembership(on: Queryable, playerId: number): Promise<Member> {
  const { factionId, ...membership } = await readMembership(on, playerId);
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  return { ...membership, factionId };
}

/**
 * The player's membership in the faction that they name, which must be their own.
 * @throws UnknownFaction, InsufficientResourcePermissions
 */
export async function membershipIn(on: Queryable, playerId: number, factionId: number): Promise<Member> {
  const membership = await ownMembership(on, playerId);
  if (membership.factionId !== factionId) throw InsufficientResourcePermissions.because();
  return membership;
}
