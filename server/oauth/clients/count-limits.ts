import { weekMs } from "#server/platform/time";

/*
 * There may be a million of each, and a page counts by reading rows: so each is counted up to a limit.
 */

/** Players are counted in an index alone. */
export const playerCountLimit = 10_000;
/** The same in a list of fifty applications. */
export const playerCountLimitInList = 1_000;
/** Whether a device lives is asked of three tables. The newest devices are looked at. */
export const deviceCountLimit = 100;

/** Since when a developer is told of an application's calls, attempts and players. */
export const statisticsSince = (now: Date): Date => new Date(now.getTime() - weekMs);
