import { z } from "zod";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { hourMs } from "#server/platform/time";
import type { createCaller } from "#server/portal/router";

/** datetime-local, read as UTC. */
const Moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/)
  .transform((text) => new Date(`${text}Z`))
  .refine((at) => !Number.isNaN(at.getTime()));

/** Each replay form sends a subset. */
export const ReplayForm = z.object({
  clientId: z.string(),
  endpointId: z.string(),
  message_id: z.string().optional(),
  hours: z.coerce.number().int().min(1).max(168).optional(),
  since: Moment.optional(),
  range_from: Moment.optional(),
  range_until: Moment.optional(),
  /** Cursor of a replay too long for one request. */
  next: z.string().max(100).optional(),
});

type Question = Parameters<ReturnType<typeof createCaller>["webhooks"]["replay"]>[0]["which"];

export function questionOf(
  sent: Omit<z.output<typeof ReplayForm>, "clientId" | "endpointId">,
): Question {
  const {
    message_id: messageId,
    hours,
    since,
    range_from: from,
    range_until: until,
    next: after,
  } = sent;
  if (messageId !== undefined) return { messageId };
  if (since !== undefined) return { failedSince: since, after };
  if (hours !== undefined) return { failedSince: new Date(Date.now() - hours * hourMs) };
  return { from: from ?? new Date(Number.NaN), until: until ?? new Date(Number.NaN), after };
}

/** Form fields that continue the replay. */
export function continuationOf(which: Question): Readonly<Record<string, string>> {
  const moment = (at: Date) => at.toISOString().slice(0, 19);
  if ("failedSince" in which) return { since: moment(which.failedSince) };
  return "from" in which
    ? { range_from: moment(which.from), range_until: moment(which.until) }
    : {};
}

const continuation = ["since", "range_from", "range_until", "next"] as const;

/** Undefined if nothing is left. */
export async function readContinuation(
  searchParams: SearchParams,
): Promise<Record<string, string> | undefined> {
  const fields: Record<string, string> = {};
  for (const name of continuation) {
    const value = await readParam(searchParams, name);
    if (value) fields[name] = value.slice(0, 100);
  }
  return fields.next ? fields : undefined;
}
