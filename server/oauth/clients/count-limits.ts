import { weekMs } from "#server/platform/time";

/* A page counts rows, of which there may be a million. */

export const playerCountLimit = 10_000;
/** For a list of fifty applications. */
export const playerCountLimitInList = 1_000;
/** The state of a device needs three tables, so only the newest are counted. */
export const deviceCountLimit = 100;

export const statisticsSince = (now: Date): Date => new Date(now.getTime() - weekMs);
