import { z } from "zod";
import { UnknownFaction, UnknownPosition } from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { requireOwnFaction } from "../../check-faction";
import { FactionPosition, positionRecord } from "../contract";
import { listPositions } from "../store";

export const getFactionPositions = endpoint({
  method: "GET",
  path: "/faction/positions",
  title: "Get Faction Positions",
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
