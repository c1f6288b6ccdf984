import { form } from "#app/_lib/form";
import { GeneralError } from "#server/failures";

export const POST = form({
  page: "/account/delete",
  procedure: ({ account }, sent) => account.delete({ confirmName: sent.get("confirm_name") ?? "" }),
  done: "/account-deleted",
  refused: { [GeneralError.code]: "name" },
});
