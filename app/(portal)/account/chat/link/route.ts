import { z } from "zod";
import { form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  fields: z.object({}),
  procedure: ({ chat }) => chat.startLink(),
  done: ({ location }) => location,
});
