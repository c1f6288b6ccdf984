import type { Queryable } from "#db/client";
import { endAccessExcept } from "./store";

/** Takes faction API access from the members whose position does not grant it, unless they were seen in it later. */
export const endAccessOfHolders = (
  tx: Queryable,
  of: { readonly factionId: number; readonly exceptPositions: readonly string[]; readonly at: Date },
): Promise<void> => endAccessExcept(tx, of);
