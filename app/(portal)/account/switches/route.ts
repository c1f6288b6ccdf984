import { z } from "zod";
import { form } from "#app/_lib/form";
import { AccountSwitch } from "#server/users/account-switches";

/** A switch and its new state. */
export const POST = form({
  page: "/account",
  fields: z.object({ switch: AccountSwitch, on: z.enum(["yes", "no"]) }),
  procedure: ({ account }, fields) =>
    account.switch({ name: fields.switch, on: fields.on === "yes" }),
});
