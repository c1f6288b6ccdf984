const minute = 60_000;

/** The game publishes a minute's tick two to four seconds after the minute began, so it is read at this second. */
const readAt = 5_000;

/** How long an answer holds while a tick is late: it may come at any moment. */
const lateAnswer = 1_000;

/** The tick that is the newest of the game's for certain: the clock minute, from its fifth second on. */
export const tickOf = (now: Date): Date => new Date(Math.floor((now.getTime() - readAt) / minute) * minute);

/** When the tick after it is read. */
export const nextReading = (now: Date): Date => new Date(tickOf(now).getTime() + minute + readAt);

/**
 * The tick that an answer of the game shows, from when it was asked to when it was there; null where the minute turned in
 * between or had barely begun, so that it may be this tick or the one before.
 */
export function tickShown({ asked, answered }: { asked: Date; answered: Date }): Date | null {
  const began = Math.floor(answered.getTime() / minute) * minute;
  return asked.getTime() >= began + readAt ? new Date(began) : null;
}

/** Until when what is said of the newest stored tick holds: until the next one, or a moment where that is late. */
export function holdsUntil(newest: Date | undefined, now: Date): Date {
  if (!newest) return now;
  const inTime = newest.getTime() >= tickOf(now).getTime();
  return inTime ? nextReading(now) : new Date(now.getTime() + lateAnswer);
}
