import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account/apps/[clientId]/report",
  typed: ["reason", "text"],
  procedure: ({ consents }, sent) =>
    consents.report({
      clientId: sent.get("clientId"),
      reason: sent.get("reason"),
      text: sent.get("text"),
    }),
  done: "?done=sent",
  refused: { reason: "reason", text: "text" },
});
