import { z } from "zod";
import type { FormPage } from "#app/_lib/form";
import { hourMs } from "#server/platform/durations";
import type { createCaller } from "#server/trpc/router";

const acts = ["verify", "test", "change", "move", "rotate", "pause", "resume", "replay", "remove"] as const;
const listOf = (clientId: string) => `/developers/apps/${encodeURIComponent(clientId)}/webhooks`;
export const pageOf = (clientId = "", endpointId = "") => `${listOf(clientId)}/${encodeURIComponent(endpointId)}`;

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
  range_from: Moment.optional(),
  range_until: Moment.optional(),
});
type Sent = z.output<typeof EndpointForm>;

const refusal = (title: string, sentence: string, { clientId, endpointId }: Sent): FormPage => ({
  ...{ status: 422, title, sentence },
  on: { href: pageOf(clientId, endpointId), text: "Open the endpoint" },
});

function whichOf({ message_id: messageId, hours, range_from: from, range_until: until }: Sent) {
  if (messageId !== undefined) return { messageId };
  if (hours !== undefined) return { failedSince: new Date(Date.now() - hours * hourMs) };
  return { from: from ?? new Date(Number.NaN), until: until ?? new Date(Number.NaN) };
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
  switch (sent.act) {
    case "verify": {
      const verification = await webhooks.verify(key);
      if (verification.outcome === "verified") return "?done=verified";
      return refusal("The endpoint is not verified", verification.why, sent);
    }
    case "test": {
      const { delivered } = await webhooks.test({ ...key, type: sent.test_type });
      return delivered ? "?done=tested#deliveries" : "?error=test-failed#deliveries";
    }
    case "change":
      await webhooks.change({ ...key, description: sent.description, types: sent.type });
      return "?done=changed";
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
      const { queued, more, until } = await webhooks.replay({ ...key, which: whichOf(sent) });
      const on = more && until ? `&go_on=${until.toISOString().slice(0, 19)}` : "";
      return `?done=${queued === 0 ? "nothing" : "replayed"}&count=${queued}${more ? "&more=yes" : ""}${on}`;
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
