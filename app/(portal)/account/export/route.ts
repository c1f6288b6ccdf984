import { z } from "zod";
import { fileAnswer } from "#app/_lib/file-answer";
import { form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  fields: z.object({}),
  procedure: ({ account }) => account.export(),
  done: ({ json }) => fileAnswer(json, { name: "adjutant-account.json", type: "application/json" }),
});
