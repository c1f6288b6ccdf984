import type { FactionBalance } from "#server/game/contract/faction";

/** One reading of a faction's vault, which serves all members who ask while it is recent. */
export interface VaultRead {
  /** The moment before the game was asked: the balance is at least as new as this. */
  readonly readAt: Date;
  readonly vault: Promise<FactionBalance>;
  /** Whether the game has not answered yet. */
  pending: boolean;
}

/** Milliseconds for which a finished reading serves others. */
const sharedFor = 2_000;
/** Milliseconds after which nobody waits any more for a reading that is under way. */
const longestShared = 7_000;

/** Whether a reading may be given to a member who asks now. */
export const isRecent = ({ readAt, pending }: VaultRead, now: Date): boolean =>
  now.getTime() - readAt.getTime() < (pending ? longestShared : sharedFor);
