import { abilityOfFlag, everyAbility, factionApiAbility } from "./contract";

/** Who somebody is in their faction, and what that allows, as newest known. */
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

/** What is stored of a player, the faction and the position, read together. */
export interface MembershipRow {
  readonly playerId: number;
  readonly name: string;
  readonly factionId: number | null;
  readonly factionSeen: Date | null;
  readonly positionName: string | null;
  readonly factionApiAccess: boolean;
  readonly factionName: string | null;
  readonly leaderId: number | null;
  readonly coLeaderId: number | null;
  /** When the game last said who leads the faction. */
  readonly leadersSeen: Date | null;
  readonly positionsRefreshed: Date | null;
  /** Null where no such position is stored. */
  readonly abilities: readonly string[] | null;
}

const leaderPositions: readonly string[] = ["Leader", "Co-leader"];

/** Whether the holder of this position leads the faction, whatever is stored of positions. */
export const isLeaderPosition = (positionName: string): boolean => leaderPositions.includes(positionName);

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
export const outside = {
  name: "",
  factionId: null,
  factionName: null,
  positionName: null,
  abilities: [],
  leader: false,
  factionApiAccess: false,
} as const;

/** The newest word counts: who was seen in another position since leads no more. */
function leads({ playerId, positionName, factionSeen, leaderId, coLeaderId, leadersSeen }: MembershipRow): boolean {
  if (positionName !== null && isLeaderPosition(positionName)) return true;
  if (leaderId !== playerId && coLeaderId !== playerId) return false;
  if (positionName === null || factionSeen === null) return true;
  return leadersSeen !== null && leadersSeen.getTime() >= factionSeen.getTime();
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

/** Whether somebody may pay out this kind of balance. Who adjusts balances, and who leads, may pay out either. */
export function mayFulfil({ factionId, leader, abilities }: Membership, currency: keyof typeof givingAbility): boolean {
  if (factionId === null) return false;
  return leader || abilities.includes(abilityOfFlag.adjust_balances) || abilities.includes(givingAbility[currency]);
}
