export interface NamedPlayer {
  readonly playerId: number;
  readonly name: string;
}

export interface Player {
  readonly playerId: number;
  readonly name: string;
  readonly level: number | null;
  readonly chatId: bigint | null;
  readonly lastAction: Date | null;
  /** Null for a player known only from a list. */
  readonly lastRefresh: Date | null;
  readonly faction: { readonly factionId: number; readonly name: string } | null;
}

export interface PlayerRecord {
  readonly playerId: number;
  readonly name: string;
  readonly chatId: bigint | null;
  readonly factionId: number | null;
  readonly lastAction: Date | null;
  readonly lastRefresh: Date | null;
}

export interface PlayerSighting {
  readonly playerId: number;
  readonly name: string;
  readonly level: number | null;
  readonly chatId: bigint | null;
  readonly status: string;
  readonly signedUp?: Date | null;
  /** End of federal jail or of a fallen state; null: neither. */
  readonly federalUntil: Date | null;
  readonly lastAction: Date | null;
  readonly factionId: number | null;
  readonly positionName: string | null;
  readonly factionApiAccess: boolean | undefined;
  readonly at: Date;
}

export const farFuture = new Date("9999-12-31T00:00:00.000Z");

/** Federal jail has an end or none; fallen players never return. */
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

export interface FourStats {
  readonly strength: number;
  readonly defense: number;
  readonly speed: number;
  readonly dexterity: number;
}

/** The sum of the four square roots, which hides the build. */
export const statScore = ({ strength, defense, speed, dexterity }: FourStats): number =>
  Math.sqrt(strength) + Math.sqrt(defense) + Math.sqrt(speed) + Math.sqrt(dexterity);
