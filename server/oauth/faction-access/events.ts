import { z } from "zod";
import { eventType } from "#server/event-log/event-type";

const accesses = ["blocked", "allowed"] as const;

export const factionAccessChanged = eventType({
  type: "faction_access.changed",
  title: "Faction access changed",
  description:
    "The player's faction blocked your application, or allows it again. While it is blocked, calls for the faction's data answer 4023 and its events stop; tokens and the player's own data stay as they are. It is sent once for each player, with one of the player's grants as `grant_id`.",
  told: "your faction blocks or allows it",
  tag: "Grants",
  scope: null,
  subject: "faction",
  changed: [],
  data: z.object({
    access: z
      .enum(accesses)
      .meta({ description: "What holds from now on.", examples: ["blocked"] }),
  }),
  example: { subject: "40001", data: { access: "blocked" } },
});
