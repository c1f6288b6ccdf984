import { secondMs } from "#server/platform/time";

/** Then what is left of a claim is given back, so that other endpoints of the application, and at the host, have their turn. */
const longestMs = 10 * secondMs;

/** Lets the deliveries of one claim go one after the other, in their order: so many at once, and each player's one at a time. */
export interface Lane {
  /** So many may be under way at once. */
  readonly requests: number;
  /** Resolves when its turn has come; false: the lane is closed. Call it in the order of the deliveries. */
  turn(playerId: number | null): Promise<boolean>;
  /** Ends a turn. @param goesOn whether the others follow */
  done(playerId: number | null, goesOn: boolean): void;
  /** Lets none begin any more. */
  close(): void;
}

export function createLane(requests: number): Lane {
  const begun = performance.now();
  const waiting: { playerId: number | null; begin: (isOpen: boolean) => void }[] = [];
  const players = new Set<number>();
  let [isOpen, underWay] = [true, 0];
  const go = () => {
    if (performance.now() - begun > longestMs) isOpen = false;
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
    close: () => {
      isOpen = false;
      go();
    },
  };
}
