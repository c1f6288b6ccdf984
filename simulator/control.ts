import { clockVerbs } from "./control/clock-verbs";
import { crimeVerbs } from "./control/crime-verbs";
import { faultVerbs } from "./control/fault-verbs";
import { fightVerbs } from "./control/fight-verbs";
import { keyVerbs } from "./control/key-verbs";
import { marketVerbs } from "./control/market-verbs";
import { playerVerbs } from "./control/player-verbs";
import { statVerbs } from "./control/stat-verbs";
import { vaultVerbs } from "./control/vault-verbs";
import type { ControlParts } from "./control/verb";

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
