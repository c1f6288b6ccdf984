import { z } from "zod";
import { id, idOrNone } from "./fields";

/** `key/info`: whose key it is and what it may read. `access.faction` is whether the owner's position grants faction data. */
export const KeyInfo = z
  .object({
    info: z.object({
      user: z.object({ id, faction_id: idOrNone }),
      access: z.object({ level: z.int().min(0).max(4), type: z.string(), faction: z.boolean() }),
      selections: z.record(z.string(), z.array(z.string())),
    }),
  })
  .transform(({ info }) => ({
    playerId: info.user.id,
    factionId: info.user.faction_id,
    level: info.access.level,
    type: info.access.type,
    factionApiAccess: info.access.faction,
    selections: info.selections,
  }));
export type KeyInfo = z.output<typeof KeyInfo>;
