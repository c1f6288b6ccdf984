import { z } from "zod";
import { form } from "#app/_lib/form";
import { demoActs } from "#server/demo/acts";

export const POST = form({
  page: "/demo",
  fields: z.object({ act: z.enum(demoActs) }),
  procedure: ({ demo }, asked) => demo.act(asked),
  done: (_, { act }) => `?did=${act}`,
});
