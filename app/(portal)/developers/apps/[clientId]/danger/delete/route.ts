import { formHandler } from "#app/_lib/form";
import { nameErrorQuery, nameField } from "../../_parts/confirm-by-name";

export const POST = formHandler({
  page: "/developers/apps/[clientId]/danger",
  typed: [nameField],
  procedure: ({ applications }, sent) =>
    applications.delete({
      clientId: sent.get("clientId"),
      confirmName: sent.get(nameField) ?? "",
    }),
  done: "/developers?done=deleted",
  refused: nameErrorQuery,
});
