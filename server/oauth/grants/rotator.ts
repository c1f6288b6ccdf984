import DataLoader from "dataloader";
import type { Database } from "#db/client";
import { poolBusy } from "#db/error-codes";
import { perProcess } from "#server/context";
import { type Rotated, type Rotation, rotateAll } from "./refresh-store";

export type Rotator = (rotation: Rotation) => Promise<Rotated | undefined>;

/** Requests that arrive meanwhile share the next statement and its disk flush. */
const usuallyAtOnce = 1;
/** A statement that waits for a lock must not delay the others for longer. */
const longestWaitMs = 50;
const mostAtOnce = 4;
const mostTogether = 64;
/** Beyond this a retry is cheaper than waiting. */
const mostWaiting = 2_000;

/** A concurrent request for the same token was refused. */
const askAgain = Symbol("ask again");

/** One per process, so that concurrent refreshes share a statement. */
export const rotatorOf = perProcess("rotator", ({ database, now }) => createRotator(database, now));

export function createRotator(database: Database, now: () => Date): Rotator {
  const waiting: (() => void)[] = [];
  let running = 0;
  let asking = 0;
  const loader = new DataLoader<Rotation, Rotated | undefined | typeof askAgain>(
    async (rotations) => {
      running += 1;
      try {
        // The first wins; the second is refused as a later reuse.
        const awaited = rotations.filter(
          ({ requestTime: { until } }) => until === null || now() < until,
        );
        const first = new Map(
          awaited.toReversed().map((rotation) => [rotation.presentedHash, rotation]),
        );
        const rotated =
          first.size > 0
            ? await rotateAll(database, [...first.values()])
            : new Map<string, Rotated>();
        return rotations.map((rotation) => {
          const granted = rotated.get(rotation.presentedHash);
          // Its client has timed out.
          if (!awaited.includes(rotation)) return poolBusy();
          if (first.get(rotation.presentedHash) === rotation) return granted;
          return granted ? undefined : askAgain;
        });
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: mostTogether,
      batchScheduleFn: (send) => {
        if (running < usuallyAtOnce) return void setImmediate(send);
        waiting.push(send);
        setTimeout(() => {
          if (running < mostAtOnce && waiting[0] === send) waiting.shift()?.();
        }, longestWaitMs);
      },
    },
  );
  // A foreign or too broad request must not block a valid one for the same token.
  return async (rotation) => {
    if (asking >= mostWaiting) throw poolBusy();
    asking += 1;
    try {
      for (;;) {
        const answer = await loader.load(rotation);
        if (answer !== askAgain) return answer;
      }
    } finally {
      asking -= 1;
    }
  };
}
