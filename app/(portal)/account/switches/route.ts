import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account",
  procedure: ({ account }, sent) =>
    account.switch({ name: sent.get("switch"), on: sent.get("on") }),
});
