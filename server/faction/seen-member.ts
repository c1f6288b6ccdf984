import type { FactionMember } from "#server/game/contract/faction";
import { federalUntil } from "#server/users/federal-until";
import type { SeenMember } from "#server/users/membership/store";

/** A member as the game lists them, as far as it is kept. */
export const seenMember = (member: FactionMember): SeenMember => ({
  playerId: member.playerId,
  name: member.name,
  level: member.level,
  position: member.position,
  status: member.status.state,
  federalUntil: federalUntil(member.status),
  lastAction: member.lastAction.at,
});
