import type { ChainOrder, ScoreRange } from "./chain-wish";

/** What a search looks for, in the words of the tables. */
export interface TargetSearch {
  readonly playerId: number;
  /** The caller's faction, whose members they do not attack. */
  readonly factionId: number | null;
  /** The faction whose own scores the caller sees besides the public ones: theirs, where it has any. */
  readonly ownGroup: number | null;
  readonly ownScore: number;
  readonly scores: ScoreRange;
  readonly level: { readonly min: number; readonly max: number };
  readonly order: ChainOrder;
  readonly limit: number;
  readonly factionless: boolean;
  /** Set where only inactive players are wanted. */
  readonly inactive: { readonly lastActionBy: Date; readonly refreshedSince: Date } | null;
  /** Entries from before are not shown. */
  readonly since: Date;
  readonly now: Date;
  /** 0 … 1: where a random list begins. */
  readonly start: number;
}

export interface Target {
  readonly playerId: number;
  readonly name: string;
  readonly level: number;
  readonly score: number;
  readonly timeAdded: Date;
  readonly lastAction: Date | null;
  readonly lastRefresh: Date | null;
  readonly faction: { readonly factionId: number; readonly name: string } | null;
}
