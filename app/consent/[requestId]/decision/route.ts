import { formHandler } from "#app/_lib/form";

/** The pending request limits the approval: the form may remove scopes, but never add one. */
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
