import { formHandler } from "#app/_lib/form";

/**
 * Only the pending request defines what can be approved: the form may remove scopes, never add. The
 * page explains a request that cannot be answered.
 */
export const POST = formHandler({
  page: "/consent/[requestId]",
  procedure: ({ authorization }, sent) =>
    authorization.decide({
      requestId: sent.get("requestId"),
      decision: sent.get("decision"),
      until: sent.get("until"),
      ticked: sent.getAll("scope"),
      shown: { allowed: sent.getAll("allowed"), optional: sent.getAll("optional") },
    }),
  done: ({ location }) => location,
  refused: ({ field = "", reason = "" }) =>
    ["decision", "until"].includes(field) || reason.startsWith("REQUEST_") ? "" : undefined,
});
