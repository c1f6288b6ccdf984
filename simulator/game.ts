import { createAdmission } from "./admission";
import { createAnswer } from "./answer";
import { createAnswerCache } from "./answer-cache";
import { createAreas } from "./areas";
import type { Clock } from "./clock";
import { createControl } from "./control";
import { createDailyRows } from "./daily-rows";
import { createFaults } from "./faults";
import { createKeys } from "./keys";
import type { WorldOptions } from "./world";

export type Game = ReturnType<typeof createGame>;

/** A world with its front door, memory, faults and control verbs, as it is before anything was done to it. */
export function createGame(options: WorldOptions, clock: Clock) {
  const { seed, epoch } = options;
  const areas = createAreas(options);
  const keys = createKeys({ ...options, world: areas.world });
  const faults = createFaults(seed);
  const cache = createAnswerCache();
  const admit = createAdmission({ keys, world: areas.world });
  const answer = createAnswer({ areas, keys, cache, dailyRows: createDailyRows(), admit });
  const { now, advance } = clock;
  return {
    behaviour: areas.behaviour,
    keys,
    faults,
    answer,
    control: createControl({ ...areas, seed, epoch, keys, faults, cache, now, advance }),
  };
}
