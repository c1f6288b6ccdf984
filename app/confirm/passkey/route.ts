import { formHandler } from "#app/_lib/form";
import { afterSignInPath, confirmErrorPath } from "#app/sign-in/destination";

export const POST = formHandler({
  procedure: ({ confirmation }, sent) =>
    confirmation.withPasskey({ answer: sent.get("answer") ?? "" }),
  done: (_, sent) => afterSignInPath(sent),
  refused: confirmErrorPath,
});
