import { z } from "zod";
import { form } from "#app/_lib/form";

/** One by its id, or all but this one. */
export const POST = form({
  page: "/account/sessions",
  fields: z.object({ id: z.string().optional(), others: z.literal("yes").optional() }),
  procedure: async ({ session }, { id, others }) => {
    if (id !== undefined) await session.end({ id });
    else if (others) await session.endOthers();
  },
  done: "?done=ended",
});
