import { formHandler } from "#app/_lib/form";
import { afterSignInPath, confirmErrorPath } from "#app/sign-in/destination";

/** The form sends a code if the account has a second factor, else a game key. */
export const POST = formHandler({
  procedure: ({ confirmation }, sent) => {
    const code = sent.get("code");
    return code === undefined
      ? confirmation.withGameKey({ gameKey: sent.get("game_key") ?? "" })
      : confirmation.withCode({ code });
  },
  done: (_, sent) => afterSignInPath(sent),
  refused: confirmErrorPath,
});
