const lookBackMilliseconds = 7 * 86_400_000;

/** Since when a developer is told of an application's calls, attempts and players. */
export const lookBack = (now: Date): Date => new Date(now.getTime() - lookBackMilliseconds);
