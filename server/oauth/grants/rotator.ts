import DataLoader from "dataloader";
import type { Database } from "#db/client";
import { type Rotated, type Rotation, rotateAll } from "./rotation-store";

/** Moves one chain on by a step; undefined where that may not be. */
export type Rotator = (rotation: Rotation) => Promise<Rotated | undefined>;

/** Two statements at a time keep PostgreSQL busy; what comes meanwhile goes together with the next. */
const mostAtOnce = 2;
const mostTogether = 64;

/** Opens the one place through which a process rotates refresh tokens, so that those of one moment share a statement. */
export function openRotator(database: Database): Rotator {
  const waiting: (() => void)[] = [];
  let running = 0;
  const loader = new DataLoader<Rotation, Rotated | undefined>(
    async (rotations) => {
      running += 1;
      try {
        // Of two that present the same token the first has it; the other is refused as if it had come later.
        const first = new Map(rotations.toReversed().map((rotation) => [rotation.presentedHash, rotation]));
        const rotated = await rotateAll(database, [...first.values()]);
        return rotations.map((rotation) =>
          first.get(rotation.presentedHash) === rotation ? rotated.get(rotation.presentedHash) : undefined,
        );
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: mostTogether,
      batchScheduleFn: (send) => {
        if (running < mostAtOnce) setImmediate(send);
        else waiting.push(send);
      },
    },
  );
  return (rotation) => loader.load(rotation);
}
