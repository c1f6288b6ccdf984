import { z } from "zod";
import { form } from "#app/_lib/form";
import { destination } from "../destination";

export const POST = form({
  token: false,
  fields: z.object(destination),
  procedure: ({ chat }, { next, request }) => chat.startSignIn({ next, requestId: request }),
  done: ({ location }) => location,
});
