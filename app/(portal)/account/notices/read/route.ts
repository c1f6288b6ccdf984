import { z } from "zod";
import { form } from "#app/_lib/form";

/** The form is on two pages. */
export const POST = form({
  page: "/account/notices",
  fields: z.object({ from: z.string().optional() }),
  procedure: ({ account }) => account.noticesRead(),
  done: (_, { from }) => (from === "overview" ? "/account" : ""),
});
