import { z } from "zod";
import { PlayerId, queryInteger } from "#server/rest/shapes";

const largestCrimeId = 2 ** 31 - 1;
const mostDelays = 100;

/** Somebody who held up an organized crime. */
export const CrimeDelay = z
  .object({
    oc_id: z.int().meta({ description: "Id of the organized crime.", examples: [1_402_311] }),
    user_id: PlayerId,
    oc_position: z.string().meta({ description: "The role in the crime.", examples: ["Lookout"] }),
    oc_position_index: z
      .int()
      .meta({ description: "Which of the crime's slots of that role, counted from 1.", examples: [1] }),
    delay_reason: z.string().meta({
      description: "Where the member first was when the crime was ready.",
      examples: ["In hospital for 12 mins"],
    }),
  })
  .meta({ id: "CrimeDelay" });

const crimeId = (what: string) => queryInteger({ min: 1, max: largestCrimeId }).optional().describe(what);

export const DelayQuery = z.object({
  before: crimeId("The lowest id of a crime to return."),
  after: crimeId("The highest id of a crime to return."),
  min_id: crimeId("Another name of `before`."),
  max_id: crimeId("Another name of `after`."),
  limit: queryInteger({ min: 1, max: mostDelays }).optional().describe("The most delays to return; 100 unless told."),
  skip: queryInteger({ min: 0, max: 1_000 })
    .optional()
    .describe("How many delays to leave out, counted from the newest; used by the link to the next page."),
});

export const DelayBody = z
  .object({ limit: z.int().min(1).max(mostDelays).optional().describe("The same as in the query, which wins.") })
  .optional();

/** What is asked for, once defaults are filled in. */
export function delaysAsked(query: z.output<typeof DelayQuery>, body: z.output<typeof DelayBody>) {
  return {
    lowest: query.before ?? query.min_id ?? 1,
    highest: query.after ?? query.max_id ?? largestCrimeId,
    limit: query.limit ?? body?.limit ?? mostDelays,
    skip: query.skip ?? 0,
  };
}
