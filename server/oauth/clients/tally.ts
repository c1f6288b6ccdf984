/** How many there are, as far as they were counted. */
export interface Tally {
  readonly count: number;
  /** Whether there may be more: counting stopped before the end. */
  readonly more: boolean;
}

/*
 * There may be a million of each, and what is counted for a page is read for it. So each is counted only so far.
 */

/** Players are counted in an index alone. */
export const mostPlayers = 10_000;
/** The same in a list of fifty applications. */
export const mostPlayersInList = 1_000;
/** Each call is a row to be read. */
export const mostCalls = 1_000;
/** Whether a device lives is asked of three tables. The newest devices are looked at. */
export const mostDevices = 100;

export const noTally: Tally = { count: 0, more: false };

/** @param looked how many rows were looked at to find them, of `most` at most */
export const tallyOf = (found: number, { looked = found, most }: { looked?: number; most: number }): Tally => ({
  count: found,
  more: looked >= most,
});
