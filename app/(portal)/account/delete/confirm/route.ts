import { formHandler } from "#app/_lib/form";
import { GeneralError } from "#server/failures";

export const POST = formHandler({
  page: "/account/delete",
  procedure: ({ account }, sent) => account.delete({ confirmName: sent.get("confirm_name") ?? "" }),
  done: "/account-deleted",
  refused: { [GeneralError.code]: "name" },
});
