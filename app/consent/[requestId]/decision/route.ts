import { z } from "zod";
import { form } from "#app/_lib/form";

/**
 * Redirects to the application. Only the pending request defines what can be approved: the form may
 * remove scopes, never add. The page explains a request that cannot be answered.
 */
export const POST = form({
  page: ({ requestId = "" }) => `/consent/${encodeURIComponent(requestId)}`,
  fields: z.object({
    requestId: z.string(),
    decision: z.enum(["approve", "deny"]),
    until: z.enum(["day", "month", "revoked", "earlier"]).optional(),
    /** Optional scopes that are still ticked. */
    scope: z.array(z.string()),
    /** Shown as allowed before, and as optional. */
    allowed: z.array(z.string()),
    optional: z.array(z.string()),
  }),
  procedure: ({ authorization }, { scope, allowed, optional, ...answer }) =>
    authorization.decide({ ...answer, ticked: scope, shown: { allowed, optional } }),
  done: ({ location }) => location,
  refused: ({ field = "", reason = "" }) =>
    ["decision", "until"].includes(field) || reason.startsWith("REQUEST_") ? "" : undefined,
});
