import { z } from "zod";
import { fileAnswer, form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  fields: z.object({}),
  procedure: ({ account }) => account.export(),
  done: ({ json }) => fileAnswer(json, { name: "adjutant-account.json", type: "application/json" }),
});
