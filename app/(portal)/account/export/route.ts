import { fileAnswer, formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account",
  procedure: ({ account }) => account.export(),
  done: ({ json }) => fileAnswer(json, { name: "adjutant-account.json", type: "application/json" }),
});
