import { formHandler } from "#app/_lib/form";

/** Two pages have this form, so its field `from` names the page to return to. */
export const POST = formHandler({
  page: "/account/notices",
  procedure: ({ account }) => account.noticesRead(),
  done: (_, sent) => (sent.get("from") === "overview" ? "/account" : ""),
});
