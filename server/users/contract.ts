import { z } from "zod";
import { toUnixSeconds } from "#server/platform/time";
import { FactionId, PlayerId, Snowflake, UnixSeconds } from "#server/rest/shapes";
import type { Player, PlayerRecord } from "./player";

const shared = {
  tid: PlayerId,
  name: z.string().meta({ description: "Name in the game.", examples: ["Ada_Quill"] }),
  username: z.string().meta({
    description: "Name, and the id in square brackets.",
    examples: ["Ada_Quill [2400001]"],
  }),
  last_refresh: UnixSeconds.nullable().meta({
    description: "When the data was last read from the game.",
  }),
  chat_id: Snowflake.nullable().meta({
    description: "The linked chat account; null where none is linked.",
  }),
  last_action: UnixSeconds.nullable().meta({ description: "Last action in the game." }),
};

export const User = z
  .object({
    ...shared,
    factiontid: FactionId.nullable().meta({
      description: "The faction's id; null for a player without a faction.",
    }),
  })
  .meta({ id: "User" });

export const SpecificUser = z
  .object({
    ...shared,
    level: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Level in the game.", examples: [42] }),
    faction: z
      .object({ tid: FactionId, name: z.string().meta({ examples: ["Lanternwatch"] }) })
      .nullable()
      .meta({ description: "Null for a player without a faction." }),
  })
  .meta({ id: "SpecificUser" });

/**
 * Endpoints add fields to this new object, because spreading costs five times as much on hot paths.
 */
const sharedRecord = (player: PlayerRecord | Player) => ({
  tid: player.playerId,
  name: player.name,
  username: `${player.name} [${player.playerId}]`,
  last_refresh: toUnixSeconds(player.lastRefresh),
  chat_id: player.chatId,
  last_action: toUnixSeconds(player.lastAction),
});

export const userRecord = (player: PlayerRecord): z.output<typeof User> =>
  Object.assign(sharedRecord(player), { factiontid: player.factionId });

export const specificUserRecord = (player: Player): z.output<typeof SpecificUser> =>
  Object.assign(sharedRecord(player), {
    level: player.level,
    faction: player.faction && { tid: player.faction.factionId, name: player.faction.name },
  });
