import { z } from "zod";
import { UnknownFaction } from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { PlayerId, Snowflake } from "#server/rest/shapes";
import { listMembers } from "../store";

export const FactionMember = z
  .object({
    ID: PlayerId,
    name: z.string().meta({ description: "Name in the game.", examples: ["Bruno_Vault"] }),
    level: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Level in the game.", examples: [42] }),
    chat_id: Snowflake.nullable().meta({
      description: "The linked chat account; null where none is linked.",
    }),
  })
  .meta({ id: "FactionMember" });

export const getFactionMembers = endpoint({
  method: "GET",
  path: "/<int:faction_id>/members",
  alias: "/faction/<int:faction_id>/members",
  title: "Get Faction Members",
  description:
    "Every player known here to be in the faction, by id. The list is complete once the faction's members were listed, which happens while one of them has a working key here; before that it holds those who are known one by one.",
  tag: "Faction",
  scopes: [],
  returns: z.array(FactionMember),
  fails: [UnknownFaction],
  etag: true,
  handle: async ({ ctx, params }) => {
    const members = await listMembers(ctx.database, params.faction_id);
    if (!members) throw UnknownFaction.because();
    return members.map(({ playerId, name, level, chatId }) => ({
      ID: playerId,
      name,
      level,
      chat_id: chatId,
    }));
  },
});
