import DataLoader from "dataloader";
import type { Database } from "#db/client";
import { poolBusy } from "#db/error-codes";
import { perProcess } from "#server/context";
import { type Rotated, type Rotation, rotateAll } from "./refresh-store";

/** Moves one chain on by a step; undefined where that may not be. */
export type Rotator = (rotation: Rotation) => Promise<Rotated | undefined>;

/** One statement at a time: what comes meanwhile goes together with the next, and shares its wait for the disk. */
const usuallyAtOnce = 1;
/** But a statement that waits for somebody's lock must not hold up the rest for longer than this. Milliseconds. */
const longestWaitMs = 50;
const mostAtOnce = 4;
const mostTogether = 64;
/** Beyond so many, coming back costs a client less than waiting. */
const mostWaiting = 2_000;

/** Another request for the same token went first and was not granted, so that nothing is said of this one yet. */
const askAgain = Symbol("ask again");

/** The one place through which a process rotates refresh tokens, so that those of one moment share a statement. */
export const rotatorOf = perProcess("rotator", ({ database, now }) => createRotator(database, now));

export function createRotator(database: Database, now: () => Date): Rotator {
  const waiting: (() => void)[] = [];
  let running = 0;
  let asking = 0;
  const loader = new DataLoader<Rotation, Rotated | undefined | typeof askAgain>(
    async (rotations) => {
      running += 1;
      try {
        // Of two that present the same token the first may have it; the other is then refused as if it had come later.
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
          // Its client has been told that it failed, or has given up.
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
  // A foreign or too greedy request burns nothing, not even the turn of the sound one beside it.
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
