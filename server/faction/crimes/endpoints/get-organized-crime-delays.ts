import { z } from "zod";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { writePlace } from "#server/platform/paging";
import { endpoint, reply } from "#server/rest/endpoint";
import { requireOwnFaction } from "../../check-faction";
import { CrimeDelay, DelayBody, DelayQuery, delayRecord, delaysAsked } from "../contract";
import { listCrimeDelays } from "../delays";

export const getOrganizedCrimeDelays = endpoint({
  method: "GET",
  path: "/faction/<int:faction_id>/crime/delays",
  title: "Get Organized Crime Delays",
  description:
    "Which present members of the user's faction held up one of its organized crimes, and why; newest crime first. Where more follow, the `Link` header names the next page. `limit` may also stand in a JSON body.",
  tag: "Faction",
  scopes: ["faction:crimes"],
  query: DelayQuery,
  body: DelayBody,
  returns: z.array(CrimeDelay),
  fails: [UnknownFaction, InsufficientResourcePermissions],
  etag: true,
  handle: async (call) => {
    const factionId = await requireOwnFaction(call, call.params.faction_id);
    const asked = delaysAsked(call.query, call.body);
    const { delays, next } = await listCrimeDelays(call.ctx, { factionId, ...asked });
    const record = delays.map(delayRecord);
    // A limit from the body must be repeated in the link.
    return reply(record, { next: next && { after: writePlace(next), limit: asked.limit } });
  },
});
