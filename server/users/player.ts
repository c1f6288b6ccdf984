import type { players } from "#db/schema/players";

type Row = typeof players.$inferSelect;

export interface NamedPlayer {
  readonly playerId: number;
  readonly name: string;
}

/** `lastRefresh` is null for a player known only from a list. */
export interface Player
  extends NamedPlayer,
    Pick<Row, "level" | "chatId" | "lastAction" | "lastRefresh"> {
  readonly faction: { readonly factionId: number; readonly name: string } | null;
}

export type PlayerRecord = NamedPlayer &
  Pick<Row, "chatId" | "factionId" | "lastAction" | "lastRefresh">;

export type PlayerFaction = Pick<PlayerRecord, "playerId" | "factionId">;

export interface PlayerSighting
  extends NamedPlayer,
    Pick<Row, "level" | "chatId" | "federalUntil" | "lastAction" | "factionId" | "positionName"> {
  readonly status: string;
  readonly signedUp?: Date | null;
  readonly factionApiAccess: boolean | undefined;
  readonly at: Date;
}

export const farFuture = new Date("9999-12-31T00:00:00.000Z");

/** Federal jail may have no end, and fallen players never return. */
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

/** The sum of the square roots hides the build. */
export const statScore = ({ strength, defense, speed, dexterity }: FourStats): number =>
  Math.sqrt(strength) + Math.sqrt(defense) + Math.sqrt(speed) + Math.sqrt(dexterity);
