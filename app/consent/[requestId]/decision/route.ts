import { z } from "zod";
import { form } from "#app/_lib/form";

/**
 * Leads to the application. What can be approved is in the pending request alone: the form leaves out, and never adds. What
 * became of a request that cannot be answered, or how to answer it, the page says.
 */
export const POST = form({
  page: ({ requestId = "" }) => `/consent/${encodeURIComponent(requestId)}`,
  fields: z.object({
    requestId: z.string(),
    decision: z.enum(["approve", "deny"]),
    until: z.enum(["day", "month", "revoked", "earlier"]).optional(),
    /** Each optional permission that is still ticked. */
    scope: z.array(z.string()),
    /** What the page showed as allowed before, and as optional. */
    allowed: z.array(z.string()),
    optional: z.array(z.string()),
  }),
  procedure: ({ authorization }, { scope, allowed, optional, ...answer }) =>
    authorization.decide({ ...answer, ticked: scope, shown: { allowed, optional } }),
  done: ({ location }) => location,
  refused: ({ field = "", reason = "" }) =>
    ["decision", "until"].includes(field) || reason.startsWith("REQUEST_") ? "" : undefined,
});
