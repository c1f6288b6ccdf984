import { z } from "zod";
import { Behaviour } from "#simulator/behaviour";
import { type ControlParts, verb } from "./verb";

const Advance = z.strictObject({ seconds: z.number().positive() });

/** Verbs about time, memory, what there is and how it behaves. */
export function clockVerbs({ seed, epoch, world, behaviour, keys, faults, cache, now, advance }: ControlParts) {
  return {
    /** Forgets all remembered answers, so that a change is seen before 29 seconds are over. */
    clearCache: () => cache.clear(),
    /** Makes the game behave otherwise; what is left out stays. Gives the whole behaviour. */
    setBehaviour: verb(Behaviour.partial(), (wish) => {
      cache.clear();
      return behaviour.change(wish);
    }),
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
