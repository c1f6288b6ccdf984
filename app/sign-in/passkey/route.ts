import { z } from "zod";
import { form } from "#app/_lib/form";
import { backToSignIn, destination } from "../destination";

export const POST = form({
  token: false,
  fields: z.object({ answer: z.string().default(""), ...destination }),
  procedure: ({ signIn }, { answer, next, request }) =>
    signIn.withPasskey({ answer, next, requestId: request }),
  done: ({ location }) => location,
  refused: backToSignIn,
});
