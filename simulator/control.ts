import { crimeVerbs } from "./control/crime-verbs";
import { fightVerbs } from "./control/fight-verbs";
import { keyVerbs, playerVerbs, statVerbs } from "./control/player-verbs";
import { vaultVerbs } from "./control/vault-verbs";
import type { ControlParts } from "./control/verb";
import { clockVerbs, faultVerbs, marketVerbs } from "./control/world-verbs";

/** What tests and developers may do to the simulated game. The same verbs are served over HTTP by `npm run simulator`. */
export const createControl = (parts: ControlParts) => ({
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
