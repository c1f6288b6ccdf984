import { z } from "zod";
import type { Refused } from "#app/_lib/form";
import type { FormPage } from "#app/_lib/form-page";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { TooManyRequests } from "#server/failures";
import { hourMs } from "#server/platform/durations";
import type { createCaller } from "#server/portal/router";

const acts = ["verify", "test", "change", "move", "rotate", "pause", "resume", "replay", "remove"] as const;
const listOf = (clientId: string) => `/developers/apps/${encodeURIComponent(clientId)}/webhooks`;
export const endpointPath = (clientId = "", endpointId = "") => `${listOf(clientId)}/${encodeURIComponent(endpointId)}`;

/** What a browser writes into a field for a time of day; the page says that it is read as UTC. */
const Moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/)
  .transform((text) => new Date(`${text}Z`))
  .refine((at) => !Number.isNaN(at.getTime()));

/** What the forms of an endpoint send; each of them some of it. */
export const EndpointForm = z.object({
  clientId: z.string(),
  endpointId: z.string(),
  act: z.enum(acts),
  url: z.string().default(""),
  description: z.string().default(""),
  type: z.array(z.string()),
  test_type: z.string().default(""),
  keep_days: z.coerce.number().default(1),
  leaked: z.literal("yes").optional(),
  from: z.enum(["stopped", "now"]).default("stopped"),
  message_id: z.string().optional(),
  hours: z.coerce.number().int().min(1).max(168).optional(),
  since: Moment.optional(),
  range_from: Moment.optional(),
  range_until: Moment.optional(),
  /** Where a replay goes on that was too long for one. */
  next: z.string().max(100).optional(),
});
type Sent = z.output<typeof EndpointForm>;

/** Where a refusal leads that a page of the endpoint speaks of. */
export function refusedAt({ code, field = "" }: Refused, { clientId, endpointId, act, hours }: Partial<Sent>) {
  const page = endpointPath(clientId, endpointId);
  const isSent = act === "test" || hours !== undefined;
  if (code === TooManyRequests.code) return `${page}${isSent ? "/send" : ""}?error=${code}`;
  return /^(which|range)/.test(field) ? `${page}/send?error=range` : undefined;
}

const refusal = (title: string, sentence: string, { clientId, endpointId }: Sent): FormPage => ({
  ...{ status: 422, title, sentence },
  on: { href: endpointPath(clientId, endpointId), text: "Open the endpoint" },
});

type Which = Parameters<ReturnType<typeof createCaller>["webhooks"]["replay"]>[0]["which"];

function whichOf(sent: Sent): Which {
  const { message_id: messageId, hours, since, range_from: from, range_until: until, next: after } = sent;
  if (messageId !== undefined) return { messageId };
  if (since !== undefined) return { failedSince: since, after };
  if (hours !== undefined) return { failedSince: new Date(Date.now() - hours * hourMs) };
  return { from: from ?? new Date(Number.NaN), until: until ?? new Date(Number.NaN), after };
}

/** The same question as fields of a form, for the replay that goes on after this one. */
function fieldsOf(which: Which): Readonly<Record<string, string>> {
  const moment = (at: Date) => at.toISOString().slice(0, 19);
  if ("failedSince" in which) return { since: moment(which.failedSince) };
  return "from" in which ? { range_from: moment(which.from), range_until: moment(which.until) } : {};
}

const continuation = ["since", "range_from", "range_until", "next"] as const;

/** The fields of the form that goes on with a replay, from the address that it led to; undefined where nothing is left. */
export async function readContinuation(searchParams: SearchParams): Promise<Record<string, string> | undefined> {
  const fields: Record<string, string> = {};
  for (const name of continuation) {
    const value = await readParam(searchParams, name);
    if (value) fields[name] = value.slice(0, 100);
  }
  return fields.next ? fields : undefined;
}

/**
 * Does what the form asks for.
 * @returns the query of the endpoint's page, another address, or a page to show
 */
export async function actOnEndpoint(
  { webhooks }: ReturnType<typeof createCaller>,
  sent: Sent,
): Promise<string | FormPage> {
  const key = { clientId: sent.clientId, endpointId: sent.endpointId };
  const page = endpointPath(sent.clientId, sent.endpointId);
  switch (sent.act) {
    case "verify": {
      const verification = await webhooks.verify(key);
      if (verification.outcome === "verified") return "?done=verified";
      return refusal("The endpoint is not verified", verification.why, sent);
    }
    case "test": {
      const { delivered } = await webhooks.test({ ...key, type: sent.test_type });
      return delivered ? "?done=tested" : "?error=test-failed";
    }
    case "change":
      await webhooks.change({ ...key, description: sent.description, types: sent.type });
      return `${page}/events?done=changed`;
    case "move":
      await webhooks.change({ ...key, url: sent.url });
      return "?done=moved";
    case "rotate": {
      const leaked = sent.leaked !== undefined;
      const { secret } = await webhooks.rotate({ ...key, keepDays: sent.keep_days, leaked });
      const title = "Store this secret now. It is shown once.";
      return { ...refusal(title, "It signs every event from now on.", sent), status: 200, secret };
    }
    case "replay": {
      const which = whichOf(sent);
      if (sent.message_id !== undefined) {
        await webhooks.replay({ ...key, which });
        return "?done=again";
      }
      const { queued, left, next } = await webhooks.replay({ ...key, which });
      const query = new URLSearchParams({ done: queued === 0 ? "nothing" : "replayed", count: String(queued) });
      const rest = { left: String(left.count), ...(left.more && { more: "yes" }), ...fieldsOf(which) };
      if (next !== null) for (const [name, value] of Object.entries({ ...rest, next })) query.set(name, value);
      return `${page}/send?${query}`;
    }
    case "remove":
      await webhooks.remove(key);
      return `${listOf(sent.clientId)}?done=removed`;
    case "pause":
      await webhooks.pause(key);
      return "?done=paused";
    case "resume":
      await webhooks.resume({ ...key, from: sent.from });
      return "?done=resumed";
  }
}
