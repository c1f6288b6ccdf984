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
