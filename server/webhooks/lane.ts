import { secondMs } from "#server/platform/time";

/**
 * Then the rest of a claim is returned, so that other endpoints of the application and the host get
 * a turn.
 */
const longestMs = 2 * secondMs;

/** Runs the deliveries of a claim in order: a limited number at once, one per player. */
export interface Lane {
  readonly requests: number;
  /** Resolves at its turn; false if the lane is closed. Call it in delivery order. */
  turn(playerId: number | null): Promise<boolean>;
  /** Ends a turn. @param goesOn false closes the lane */
  done(playerId: number | null, goesOn: boolean): void;
  close(): void;
}

export function createLane(requests: number): Lane {
  const waiting: { playerId: number | null; begin: (isOpen: boolean) => void }[] = [];
  const players = new Set<number>();
  let [isOpen, underWay] = [true, 0];
  const go = () => {
    for (let [first] = waiting; first; [first] = waiting) {
      const { playerId, begin } = first;
      const isBusy = underWay >= requests || (playerId !== null && players.has(playerId));
      if (isOpen && isBusy) return;
      waiting.shift();
      if (isOpen) underWay += 1;
      if (isOpen && playerId !== null) players.add(playerId);
      begin(isOpen);
    }
  };
  const close = () => {
    isOpen = false;
    go();
  };
  setTimeout(close, longestMs).unref();
  return {
    requests,
    turn: (playerId) =>
      new Promise((begin) => {
        waiting.push({ playerId, begin });
        go();
      }),
    done: (playerId, goesOn) => {
      underWay -= 1;
      if (playerId !== null) players.delete(playerId);
      isOpen &&= goesOn;
      go();
    },
    close,
  };
}
