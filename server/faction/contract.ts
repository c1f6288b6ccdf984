import { z } from "zod";
import { PlayerId, Snowflake } from "#server/rest/shapes";

/** A member of a faction. */
export const FactionMember = z
  .object({
    ID: PlayerId,
    name: z.string().meta({ description: "Name in the game.", examples: ["Bruno_Vault"] }),
    level: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Level in the game.", examples: [42] }),
    chat_id: Snowflake.nullable().meta({ description: "The linked chat account; null where none is linked." }),
  })
  .meta({ id: "FactionMember" });
