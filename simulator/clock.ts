/** The game's clock: runs with what it stands on, may be moved ahead, and stands still while something is replayed. */
export function createClock(base: () => Date) {
  let moved = 0;
  let frozen: Date | null = null;

  return {
    now: () => frozen ?? new Date(base().getTime() + moved),
    advance: (seconds: number) => {
      moved += Math.round(seconds * 1000);
    },
    /** From now on the clock goes on from `moment`. */
    set: (moment: Date) => {
      moved = moment.getTime() - base().getTime();
    },
    /** Runs `act` as if it were `moment`. */
    during: (moment: Date, act: () => void) => {
      frozen = moment;
      try {
        act();
      } finally {
        frozen = null;
      }
    },
  };
}
export type Clock = ReturnType<typeof createClock>;
