/** How many there are, as far as they were counted. */
export interface CappedCount {
  readonly count: number;
  /** Whether there may be more: counting stopped before the end. */
  readonly more: boolean;
}

export const noCount: CappedCount = { count: 0, more: false };

/** @param looked how many rows were looked at to find them, of `most` at most */
export const cappedCountOf = (
  found: number,
  { looked = found, most }: { looked?: number; most: number },
): CappedCount => ({
  count: found,
  more: looked >= most,
});
