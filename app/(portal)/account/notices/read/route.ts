import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account/notices",
  procedure: ({ account }) => account.noticesRead(),
  done: "?done=read",
});
