import { z } from "zod";
import { eventTypes } from "#server/event-types";
import { boundedList, moment, text } from "#server/platform/input-schemas";
import { longestEndpointUrl } from "./endpoint-url";
import { alwaysSent } from "./events";

/** The event format of new endpoints; within one version fields are only added. */
export const currentVersion = "2026-11-22";

export const choosableTypes: readonly string[] = eventTypes
  .map(({ type }) => type)
  .filter((type) => !alwaysSent.includes(type));

const longestDescription = 100;
const longestType = 64;
const chosen = z
  .string()
  .max(longestType)
  .refine((type) => choosableTypes.includes(type), "This is not a type of event.");
const types = boundedList(chosen, { most: 100, tooMany: "Choose each type once." }).transform(
  (list) => [...new Set(list)],
);
// The URL's form is checked later, because that needs the settings.
const url = z
  .string({ error: "A webhook URL is needed." })
  .trim()
  .max(longestEndpointUrl, `A webhook URL can have at most ${longestEndpointUrl} characters.`);
const description = z
  .string()
  .trim()
  .max(longestDescription, `A description can have at most ${longestDescription} characters.`)
  .refine(
    (text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(text),
    "A description is one line of text.",
  );

export const EndpointInput = z.object({ url, description: description.default(""), types });
export type EndpointInput = z.output<typeof EndpointInput>;

export const EndpointChanges = z.object({ url, description, types }).partial();
export type EndpointChanges = z.output<typeof EndpointChanges>;

export const mostKeepDays = 7;
/** `keepDays`: how long the old secret also signs. `leaked`: all old secrets end at once. */
export const RotationInput = z.object({
  keepDays: z.int().min(0).max(mostKeepDays).default(1),
  leaked: z.boolean().default(false),
});
export type RotationInput = z.output<typeof RotationInput>;

export const ResumeInput = z.object({ from: z.enum(["stopped", "now"]) });
export type ResumeInput = z.output<typeof ResumeInput>;

const continued = text(100).optional();

export const ReplayInput = z.union([
  z.object({ messageId: text(100) }),
  z.object({ from: moment, until: moment, after: continued }),
  z.object({ failedSince: moment, after: continued }),
]);
export type ReplayInput = z.output<typeof ReplayInput>;
