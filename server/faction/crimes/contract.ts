import { z } from "zod";
import type { organizedCrimeDelays } from "#db/schema/faction";
import { toUnixSeconds } from "#server/platform/time";
import {
  isCursor,
  PlayerId,
  queryInteger,
  queryIntegerOrCursor,
  UnixSeconds,
} from "#server/rest/shapes";

const largestCrimeId = 2 ** 31 - 1;
const mostDelays = 100;

export const CrimeDelay = z
  .object({
    oc_id: z.int().meta({ description: "Id of the organized crime.", examples: [1_402_311] }),
    user_id: PlayerId,
    oc_position: z.string().meta({ description: "The role in the crime.", examples: ["Lookout"] }),
    oc_position_index: z.int().meta({
      description: "Which of the crime's slots of that role, counted from 1.",
      examples: [1],
    }),
    delay_reason: z.string().meta({
      description: "Where the member first was when the crime was ready, as of `seen_at`.",
      examples: ["In hospital for 12 mins"],
    }),
    seen_at: UnixSeconds.meta({ description: "When the member was seen there." }),
  })
  .meta({ id: "CrimeDelay" });

export const delayRecord = (
  delay: Omit<typeof organizedCrimeDelays.$inferSelect, "slot" | "factionId">,
): z.output<typeof CrimeDelay> => ({
  oc_id: delay.crimeId,
  user_id: delay.playerId,
  oc_position: delay.position,
  oc_position_index: delay.positionIndex,
  delay_reason: delay.reason,
  seen_at: toUnixSeconds(delay.seenAt),
});

const mostSkipped = 1_000;
const crimeId = (what: string) =>
  queryIntegerOrCursor({
    min: 1,
    max: largestCrimeId,
    most: { place: largestCrimeId, row: mostSkipped },
  })
    .optional()
    .describe(what);

export const DelayQuery = z.object({
  before: crimeId("The lowest id of a crime to return."),
  after: crimeId(
    "The highest id of a crime to return. To turn pages follow the `Link` header, or give what its address has as `after` " +
      "here or as `before`: by ids alone one gets stuck where a crime has more delays than a page holds.",
  ),
  min_id: crimeId("Another name of `before`."),
  max_id: crimeId("Another name of `after`."),
  limit: queryInteger({ min: 1, max: mostDelays })
    .optional()
    .describe("The most delays to return; 100 by default."),
  skip: queryInteger({ min: 0, max: mostSkipped })
    .optional()
    .describe("How many delays to leave out, counted from the newest."),
});

export const DelayBody = z
  .object({
    limit: z.int().min(1).max(mostDelays).optional().describe("As in the query, which wins."),
  })
  .optional();

export function delaysAsked(query: z.output<typeof DelayQuery>, body: z.output<typeof DelayBody>) {
  const { before, after, min_id, max_id } = query;
  const cursor = [after, max_id, before, min_id].find(isCursor);
  return {
    lowest: [before, min_id].find(isNumber) ?? 1,
    highest: cursor?.place ?? [after, max_id].find(isNumber) ?? largestCrimeId,
    limit: query.limit ?? body?.limit ?? mostDelays,
    skip: cursor?.row ?? query.skip ?? 0,
  };
}

const isNumber = (value: unknown): value is number => typeof value === "number";
