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

/** What tests and developers may do to the simulated game. The same verbs are served over HTTP by `npm run simulator`. */
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
