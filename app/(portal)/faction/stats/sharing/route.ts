import { z } from "zod";
import { form } from "#app/_lib/form";

export const POST = form({
  page: "/faction/stats",
  fields: z.object({ sharing: z.enum(["everybody", "faction", "off"]) }),
  procedure: ({ factionStats }, asked) => factionStats.share(asked),
  done: (_, { sharing }) => `?shared=${sharing}`,
});
