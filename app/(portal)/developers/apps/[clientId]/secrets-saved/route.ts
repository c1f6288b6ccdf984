import { form } from "#app/_lib/form";

export const POST = form({
  page: "/developers/apps/[clientId]",
  procedure: ({ applications }, sent) =>
    applications.secretsSaved({ clientId: sent.get("clientId") }),
});
