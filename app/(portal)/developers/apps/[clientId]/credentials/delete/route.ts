import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/developers/apps/[clientId]/credentials",
  procedure: ({ applications }, sent) =>
    applications.deleteSecret({
      clientId: sent.get("clientId"),
      secretId: sent.get("secret_id"),
      isOnly: sent.get("is_only") === "yes",
    }),
  done: "?done=deleted",
  refused: ({ reason }) => (reason === "ONLY_SECRET" ? "?error=only" : undefined),
});
