import { z } from "zod";
import { type ControlParts, verb } from "./verb";

const Advance = z.strictObject({ seconds: z.number().positive() });

/** Verbs about time, memory and what there is. */
export function clockVerbs({ seed, epoch, world, keys, faults, cache, now, advance }: ControlParts) {
  return {
    /** Forgets all remembered answers, so that a change is seen before 29 seconds are over. */
    clearCache: () => cache.clear(),
    advance: verb(Advance, ({ seconds }) => advance(seconds)),
    state: () => ({
      seed,
      epoch: epoch.toISOString(),
      now: now().toISOString(),
      players: world.counts.players,
      factions: world.counts.factions,
      keys: keys.count(),
      faults: faults.count(now()),
    }),
  };
}
