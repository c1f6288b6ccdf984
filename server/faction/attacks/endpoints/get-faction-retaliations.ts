import { z } from "zod";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { requireOwnFaction } from "../../check-faction";
import { Retaliation, retaliationRecord } from "../contract";
import { answerableSince } from "../retaliation";
import { listOpenRetaliations } from "../store";

export const getFactionRetaliations = endpoint({
  method: "GET",
  path: "/faction/<int:faction_id>/attacks/retaliations",
  title: "Get Faction Retaliations",
  description:
    "Open retaliations of the user's faction: attacks of the last five minutes, newest first, at most 250.",
  tag: "Faction",
  scopes: ["faction:attacks"],
  returns: z.array(Retaliation),
  fails: [UnknownFaction, InsufficientResourcePermissions],
  etag: true,
  handle: async (call) => {
    const factionId = await requireOwnFaction(call, call.params.faction_id);
    const since = answerableSince(call.ctx.now());
    const hits = await listOpenRetaliations(call.ctx.database, { factionId, since });
    return hits.map(retaliationRecord);
  },
});
