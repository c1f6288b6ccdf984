import type { Crime } from "#server/game/contract/crime";

/** Where somebody is, as the game's listing of the faction says. */
export interface Whereabouts {
  readonly playerId: number;
  readonly status: { readonly state: string; readonly description: string };
}

/** Somebody who holds up a crime, and why. */
export interface Delay {
  readonly crimeId: number;
  readonly slot: string;
  readonly playerId: number;
  readonly position: string;
  /** Counts the slots of one role in one crime, from 1. */
  readonly positionIndex: number;
  readonly reason: string;
}

/**
 * Who holds up which crime at a moment: a crime that is planned and ready does not begin before everybody in it is free. Somebody
 * missing from the listing is no reason, and no obstacle to finding the others.
 */
export function findDelays(crimes: readonly Crime[], members: readonly Whereabouts[], now: Date): Delay[] {
  const whereabouts = new Map(members.map(({ playerId, status }) => [playerId, status]));
  const waiting = crimes.filter(({ status, readyAt }) => status === "Planning" && readyAt !== null && readyAt <= now);
  return waiting.flatMap(({ crimeId, slots }) =>
    slots.flatMap(({ slot, position, positionNumber, member }) => {
      const status = member && whereabouts.get(member.playerId);
      if (!status || status.state === "Okay") return [];
      const { playerId } = member;
      return [{ crimeId, slot, playerId, position, positionIndex: positionNumber, reason: status.description }];
    }),
  );
}
