import { createAdmission, createDailyRows } from "./admission";
import { createAnswer, createAnswerCache } from "./answer";
import { createAreas } from "./areas";
import { crimeVerbs, vaultVerbs } from "./control/faction-verbs";
import { fightVerbs } from "./control/fight-verbs";
import { keyVerbs, playerVerbs, statVerbs } from "./control/player-verbs";
import type { ControlParts } from "./control/verb";
import { clockVerbs, faultVerbs, marketVerbs } from "./control/world-verbs";
import { createFaults } from "./faults";
import { createKeys } from "./keys";
import type { WorldOptions } from "./world";

export type Game = ReturnType<typeof createGame>;

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

/** The test verbs of the simulated game, also served over HTTP by `npm run simulator`. */
const createControl = (parts: ControlParts) => ({
  ...keyVerbs(parts),
  ...playerVerbs(parts),
  ...statVerbs(parts),
  ...fightVerbs(parts),
  ...crimeVerbs(parts),
  ...vaultVerbs(parts),
  ...faultVerbs(parts),
  ...marketVerbs(parts),
  ...clockVerbs(parts),
});
export type Control = ReturnType<typeof createControl>;

/** Runs with its base clock, can be moved ahead, and is fixed during a replay. */
export function createClock(base: () => Date) {
  let moved = 0;
  let frozen: Date | null = null;

  return {
    now: () => frozen ?? new Date(base().getTime() + moved),
    advance: (seconds: number) => {
      moved += Math.round(seconds * 1000);
    },
    set: (moment: Date) => {
      moved = moment.getTime() - base().getTime();
    },
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
