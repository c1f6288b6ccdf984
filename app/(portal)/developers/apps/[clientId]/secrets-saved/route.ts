import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/developers/apps/[clientId]",
  procedure: ({ applications }, sent) =>
    applications.secretsSaved({ clientId: sent.get("clientId") }),
});
