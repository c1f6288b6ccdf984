import { z } from "zod";
import { secondMs } from "#server/platform/time";
import { eventTypeName } from "../event-log/event-type";
import { queryInteger } from "../rest/shapes";

const mostTypes = 50;

/** Which events, in which form: the same for the list and the stream. */
const asked = {
  after: z
    .string()
    .max(64)
    .optional()
    .meta({
      description:
        "The `cursor` of an event, or of a page: what happened after it. Without it: from the oldest that is kept.",
      examples: ["4nM0m1Zp0s8wC6b1n3kTqB5c2dE"],
    }),
  types: z
    .string()
    .max(1_000)
    .transform((text, context) => {
      const names = text.split(",").map((name) => name.trim());
      if (names.length <= mostTypes && names.every((name) => eventTypeName.test(name)))
        return names;
      context.addIssue({ code: "custom", message: "must be types of events, separated by commas" });
      return z.NEVER;
    })
    .optional()
    .meta({
      description: "Types of events, separated by commas. Without it: all.",
      examples: ["retaliation.opened,crime.delayed"],
    }),
  expand: z
    .literal("record")
    .optional()
    .meta({
      description: "`record`: each event carries its record, as its route shows it at this moment.",
      examples: ["record"],
    }),
};

export const EventQuery = z.object({
  ...asked,
  since: z
    .string()
    .regex(/^\d{1,11}$/, "must be Unix seconds")
    .transform((text) => new Date(Number(text) * secondMs))
    .optional()
    .meta({
      description: "Instead of `after`: what happened at this moment or later, in Unix seconds.",
      examples: [1_767_225_600],
    }),
  limit: queryInteger({ min: 1, max: 100 })
    .default(50)
    .meta({ description: "The most events to return." }),
  wait: queryInteger({ min: 0, max: 25 })
    .default(0)
    .meta({
      description: "Seconds to wait for the first event where there is none yet.",
      examples: [20],
    }),
});
