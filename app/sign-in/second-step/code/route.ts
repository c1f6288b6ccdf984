import { z } from "zod";
import { form } from "#app/_lib/form";
import { secondStepPath } from "#app/_lib/sign-in-path";
import { backToSignIn, destination } from "../../destination";

/** Its cookie opens only this step. Any failure except a wrong code ends it. */
export const POST = form({
  token: false,
  fields: z.object({ code: z.string().default(""), ...destination }),
  procedure: ({ signIn }, { code, next, request }) =>
    signIn.withCode({ code, next, requestId: request }),
  done: ({ location }) => location,
  refused: (why, { next, request }) =>
    why.reason === "wrong-code"
      ? secondStepPath({ error: why.reason, next, request })
      : backToSignIn(why, { next, request }),
});
