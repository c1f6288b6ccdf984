import { createAdmission, createDailyRows } from "./admission";
import { createAnswer, createAnswerCache } from "./answer";
import { createAreas } from "./areas";
import { keyVerbs, playerVerbs, statVerbs } from "./control/player-verbs";
import {
  clockVerbs,
  crimeVerbs,
  faultVerbs,
  fightVerbs,
  marketVerbs,
  vaultVerbs,
} from "./control/world-verbs";
import { createFaults } from "./faults";
import { createKeys } from "./keys";
import type { WorldOptions } from "./world";

/** `control` has the test verbs, also served over HTTP by `npm run simulator`. */
export function createGame(
  options: WorldOptions,
  clock: { now: () => Date; advance: (seconds: number) => void },
) {
  const { seed, epoch } = options;
  const areas = createAreas(options);
  const keys = createKeys({ seed, world: areas.world });
  const faults = createFaults(seed);
  const cache = createAnswerCache();
  const admit = createAdmission({ keys, world: areas.world });
  const parts = { ...areas, ...clock, seed, epoch, keys, faults, cache };
  const control = {
    ...keyVerbs(parts),
    ...playerVerbs(parts),
    ...statVerbs(parts),
    ...fightVerbs(parts),
    ...crimeVerbs(parts),
    ...vaultVerbs(parts),
    ...faultVerbs(parts),
    ...marketVerbs(parts),
    ...clockVerbs(parts),
  };
  const answer = createAnswer({ areas, keys, cache, dailyRows: createDailyRows(), admit });
  return { behaviour: areas.behaviour, keys, faults, answer, control };
}
