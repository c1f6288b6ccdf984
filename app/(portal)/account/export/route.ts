import { fileAnswer, form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  procedure: ({ account }) => account.export(),
  done: ({ json }) => fileAnswer(json, { name: "adjutant-account.json", type: "application/json" }),
});
