import { formHandler } from "#app/_lib/form";
import { afterSignInPath, backToConfirm } from "#app/sign-in/destination";

export const POST = formHandler({
  procedure: ({ confirmation }, sent) =>
    confirmation.withPasskey({ answer: sent.get("answer") ?? "" }),
  done: (_, sent) => afterSignInPath(sent),
  refused: backToConfirm,
});
