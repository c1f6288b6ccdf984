import { form } from "#app/_lib/form";

/** The form is on two pages. */
export const POST = form({
  page: "/account/notices",
  procedure: ({ account }) => account.noticesRead(),
  done: (_, sent) => (sent.get("from") === "overview" ? "/account" : ""),
});
