import { z } from "zod";
import { form } from "#app/_lib/form";

/** The page's address must contain no secret, so a pasted text is posted first. */
export const POST = form({
  page: "/developers/doctor",
  fields: z.object({ ask: z.string().default("") }),
  procedure: ({ doctor }, { ask }) => doctor.mask({ text: ask }),
  done: (ask) => (ask === "" ? "" : `?${new URLSearchParams({ ask })}`),
  refused: () => "?error=too-long",
});
