import { z } from "zod";
import { form } from "#app/_lib/form";
import { AccountSwitch } from "#server/users/account-switches";

/** All switches of an account: which one, and whether it is on from now on. */
export const POST = form({
  page: "/account",
  fields: z.object({ switch: AccountSwitch, on: z.enum(["yes", "no"]) }),
  procedure: ({ account }, fields) =>
    account.switch({ name: fields.switch, on: fields.on === "yes" }),
});
