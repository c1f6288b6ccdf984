/** A player as pages and messages name them. */
export interface NamedPlayer {
  readonly playerId: number;
  readonly name: string;
}

/** Somebody in the game, as last seen there. */
export interface Player {
  readonly playerId: number;
  readonly name: string;
  readonly level: number | null;
  readonly chatId: bigint | null;
  readonly lastAction: Date | null;
  /** The last successful refresh; null for a player known only from a list. */
  readonly lastRefresh: Date | null;
  readonly faction: { readonly factionId: number; readonly name: string } | null;
}

/** A player as their own record shows them: without the faction's name, which costs a join. */
export interface PlayerRecord {
  readonly playerId: number;
  readonly name: string;
  readonly chatId: bigint | null;
  readonly factionId: number | null;
  readonly lastAction: Date | null;
  readonly lastRefresh: Date | null;
}

/** What the game said of a player at one moment: everything in it was seen together. */
export interface PlayerSighting {
  readonly playerId: number;
  readonly name: string;
  readonly level: number | null;
  readonly chatId: bigint | null;
  readonly status: string;
  readonly signedUp?: Date | null;
  /** In federal jail, or fallen, until then; null: not. */
  readonly federalUntil: Date | null;
  readonly lastAction: Date | null;
  readonly factionId: number | null;
  readonly positionName: string | null;
  /** Whether the position grants Faction API Access; undefined where the answer did not tell. */
  readonly factionApiAccess: boolean | undefined;
  readonly at: Date;
}

/** Stands for an end that never comes. */
export const farFuture = new Date("9999-12-31T00:00:00.000Z");

/** Until when a player cannot be fought: federal jail ends at a moment or never, a fallen player never comes back. */
export function federalUntil({
  state,
  until,
}: {
  readonly state: string;
  readonly until: Date | null;
}): Date | null {
  if (state === "Federal") return until ?? farFuture;
  return state === "Fallen" ? farFuture : null;
}

/** The four battle stats of a player, without what drugs and buildings add. */
export interface FourStats {
  readonly strength: number;
  readonly defense: number;
  readonly speed: number;
  readonly dexterity: number;
}

/** One number for a player's strength, which hides the build: the sum of the four square roots. */
export const statScore = ({ strength, defense, speed, dexterity }: FourStats): number =>
  Math.sqrt(strength) + Math.sqrt(defense) + Math.sqrt(speed) + Math.sqrt(dexterity);
