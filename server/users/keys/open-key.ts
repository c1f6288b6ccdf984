/** A game key, ready for use. */
export interface OpenKey {
  /** The row it is stored in; null while it is not stored. */
  readonly id: string | null;
  /** Whose key it is: their budget pays for each call. */
  readonly playerId: number;
  /** 1 … 4 by what it may read; 0 for one that its owner put together; null where it is not known. */
  readonly level: number | null;
  readonly lastOkAt: Date | null;
  /** The key's text. A function, so that a log line or a JSON text of this value never holds it. */
  readonly reveal: () => string;
}

/** A key that somebody just typed, of which the game already said whose it is. */
export const typedKey = (text: string, playerId: number, level: number | null = null): OpenKey => ({
  id: null,
  playerId,
  level,
  lastOkAt: null,
  reveal: () => text,
});
