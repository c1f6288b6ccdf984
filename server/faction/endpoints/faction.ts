import { z } from "zod";
import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { InsufficientResourcePermissions, UnknownFaction, UnknownPosition } from "#server/failures";
import { writePlaceCursor } from "#server/platform/paging";
import { hourSeconds } from "#server/platform/time";
import { defineEndpoint, reply } from "#server/rest/endpoint";
import { PlayerId, Snowflake } from "#server/rest/shapes";
import { readCallerFactionId } from "#server/users/membership/membership";
import type { PlayerRecord } from "#server/users/player";
import { retaliationCutoff } from "../attacks/retaliation";
import { listOpenRetaliations } from "../attacks/store";
import {
  CrimeDelay,
  DelayQuery,
  DelayRequestBody,
  delayRangeOf,
  delayRecord,
  FactionPosition,
  positionRecord,
  Retaliation,
  retaliationRecord,
} from "../contract";
import { listCrimeNames, readCrimeDelayPage } from "../crimes/store";
import { listPositions } from "../positions/store";
import { listMembers } from "../store";

interface Caller {
  readonly ctx: Context;
  readonly by: TokenHolder;
  readonly player: PlayerRecord | undefined;
}

/** @throws UnknownFaction without a faction, InsufficientResourcePermissions for another faction */
async function requireOwnFaction(caller: Caller, asked?: number): Promise<number> {
  const own = await readCallerFactionId(caller.ctx, caller);
  if (own === null) throw UnknownFaction.because({ message: "The user is in no faction." });
  if (asked !== undefined && asked !== own) throw InsufficientResourcePermissions.because();
  return own;
}

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

export const getFactionMembers = defineEndpoint({
  method: "GET",
  path: "/<int:faction_id>/members",
  alias: "/faction/<int:faction_id>/members",
  title: "Get Faction Members",
  did: "Read the members of a faction",
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

export const getFactionPositions = defineEndpoint({
  method: "GET",
  path: "/faction/positions",
  title: "Get Faction Positions",
  did: "Read your faction's positions",
  description:
    "The positions of the user's faction and what each allows, by name. Leader and Co-leader may do everything, a Recruit nothing.",
  tag: "Faction",
  scopes: ["faction"],
  returns: z.object({ positions: z.array(FactionPosition) }),
  fails: [UnknownFaction, UnknownPosition],
  etag: true,
  deprecated: {
    since: new Date("2026-01-01T00:00:00Z"),
    sunset: new Date("2027-12-31T23:59:59Z"),
    link: "/docs/api/get-faction-positions",
  },
  handle: async (call) => {
    const factionId = await requireOwnFaction(call);
    const positions = await listPositions(call.ctx.database, factionId);
    if (positions.length === 0)
      throw UnknownPosition.because({ message: "The positions of the faction were not read yet." });
    return { positions: positions.map((position) => positionRecord(factionId, position)) };
  },
});

export const getFactionRetaliations = defineEndpoint({
  method: "GET",
  path: "/faction/<int:faction_id>/attacks/retaliations",
  title: "Get Faction Retaliations",
  did: "Read your faction's open retaliations",
  description:
    "Open retaliations of the user's faction: attacks of the last five minutes, newest first, at most 250.",
  tag: "Faction",
  scopes: ["faction:attacks"],
  returns: z.array(Retaliation),
  fails: [UnknownFaction, InsufficientResourcePermissions],
  etag: true,
  handle: async (call) => {
    const factionId = await requireOwnFaction(call, call.params.faction_id);
    const since = retaliationCutoff(call.ctx.now());
    const hits = await listOpenRetaliations(call.ctx.database, { factionId, since });
    return hits.map(retaliationRecord);
  },
});

export const getOrganizedCrimeDelays = defineEndpoint({
  method: "GET",
  path: "/faction/<int:faction_id>/crime/delays",
  title: "Get Organized Crime Delays",
  did: "Read who delays your faction's OCs",
  description:
    "Which present members of the user's faction held up one of its organized crimes, and why; newest crime first. Where more follow, the `Link` header names the next page. `limit` may also stand in a JSON body.",
  tag: "Faction",
  scopes: ["faction:crimes"],
  query: DelayQuery,
  body: DelayRequestBody,
  returns: z.array(CrimeDelay),
  fails: [UnknownFaction, InsufficientResourcePermissions],
  etag: true,
  handle: async (call) => {
    const factionId = await requireOwnFaction(call, call.params.faction_id);
    const asked = delayRangeOf(call.query, call.body);
    const { delays, next } = await readCrimeDelayPage(call.ctx.database, { factionId, ...asked });
    const record = delays.map(delayRecord);
    // The next page is requested without a body, so the link repeats a limit from the body.
    return reply(record, { next: next && { after: writePlaceCursor(next), limit: asked.limit } });
  },
});

export const getOrganizedCrimeNames = defineEndpoint({
  method: "GET",
  path: "/faction/crime/names",
  title: "Get Organized Crimes Names",
  did: "Read the names of OCs",
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
