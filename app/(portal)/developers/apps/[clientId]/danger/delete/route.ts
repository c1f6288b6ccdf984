import { formHandler } from "#app/_lib/form";
import { nameErrorQuery } from "../../_parts/confirm-by-name";

export const POST = formHandler({
  page: "/developers/apps/[clientId]/danger",
  procedure: ({ applications }, sent) =>
    applications.delete({
      clientId: sent.get("clientId"),
      confirmName: sent.get("confirm_name") ?? "",
    }),
  done: "/developers?done=deleted",
  refused: nameErrorQuery,
});
