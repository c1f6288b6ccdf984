import { z } from "zod";
import { hourSeconds } from "#server/platform/time";
import { endpoint, reply } from "#server/rest/endpoint";
import { listCrimeNames } from "../store";

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
