import { z } from "zod";
import { form } from "#app/_lib/form";

/** A pasted text comes here first: what the page's address then holds has no secret in it. */
export const POST = form({
  page: "/developers/doctor",
  fields: z.object({ ask: z.string().default("") }),
  procedure: ({ doctor }, { ask }) => doctor.mask({ text: ask }),
  done: (ask) => (ask === "" ? "" : `?${new URLSearchParams({ ask })}`),
  refused: () => "?error=too-long",
});
