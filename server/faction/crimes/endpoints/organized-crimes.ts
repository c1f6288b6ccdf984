import { z } from "zod";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { writePlace } from "#server/platform/paging";
import { hourSeconds } from "#server/platform/time";
import { endpoint, reply } from "#server/rest/endpoint";
import { requireOwnFaction } from "../../check-faction";
import { CrimeDelay, DelayBody, DelayQuery, delayRecord, delaysAsked } from "../contract";
import { listCrimeDelays } from "../delays";
import { listCrimeNames } from "../store";

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

export const getOrganizedCrimeNames = endpoint({
  method: "GET",
  path: "/faction/crime/names",
  title: "Get Organized Crimes Names",
  description: "The names of all organized crimes, easier ones first. Cached for one hour.",
  tag: "Faction",
  scopes: [],
  returns: z.array(z.string().meta({ examples: ["Harbour Lights"] })),
  fails: [],
  cache: { seconds: hourSeconds },
  handle: async ({ ctx }) => {
    const names = await listCrimeNames(ctx.database.query);
    // Do not cache an empty list before the first read.
    return names.length === 0 ? reply(names, { freshUntil: ctx.now() }) : names;
  },
});
