import { form } from "#app/_lib/form";
import { backToConfirm, wayOn } from "#app/sign-in/destination";

export const POST = form({
  procedure: ({ confirmation }, sent) =>
    confirmation.withPasskey({ answer: sent.get("answer") ?? "" }),
  done: (_, sent) => wayOn(sent),
  refused: backToConfirm,
});
