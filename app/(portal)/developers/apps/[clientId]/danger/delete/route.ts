import { form } from "#app/_lib/form";
import { refusedName } from "../../_parts/cut-by-name";

export const POST = form({
  page: "/developers/apps/[clientId]/danger",
  procedure: ({ applications }, sent) =>
    applications.delete({
      clientId: sent.get("clientId"),
      confirmName: sent.get("confirm_name") ?? "",
    }),
  done: "/developers?done=deleted",
  refused: refusedName,
});
