import { form } from "#app/_lib/form";

export const POST = form({
  page: ({ clientId = "" }) => `/developers/apps/${encodeURIComponent(clientId)}`,
  procedure: ({ applications }, sent) =>
    applications.secretsSaved({ clientId: sent.get("clientId") }),
});
