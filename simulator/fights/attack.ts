import type { Clash } from "./clash";
import type { Modifiers } from "./respect";

/** A fight with everything that the game prints of it. Factions are indices; null is none. */
export interface Attack {
  readonly clash: Clash;
  readonly id: number;
  /** 32 hexadecimal digits. */
  readonly code: string;
  readonly attackerFaction: number | null;
  readonly defenderFaction: number | null;
  readonly modifiers: Modifiers;
  /** Place in the chain of the attacker's faction; 0 for what is no hit of a chain. */
  readonly chain: number;
  readonly rankedWar: boolean;
  readonly gain: number;
  readonly loss: number;
}
