import { z } from "zod";
import { form } from "#app/_lib/form";

const headers = {
  "content-type": "application/json; charset=utf-8",
  "content-disposition": 'attachment; filename="adjutant-account.json"',
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

export const POST = form({
  page: "/account",
  fields: z.object({}),
  procedure: ({ account }) => account.export(),
  done: ({ json }) => new Response(json, { headers }),
});
