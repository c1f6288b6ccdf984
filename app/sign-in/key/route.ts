import { formHandler } from "#app/_lib/form";
import { backToSignIn, destinationOf } from "../destination";

export const POST = formHandler({
  token: false,
  procedure: ({ signIn }, sent) =>
    signIn.withGameKey({ gameKey: sent.get("game_key") ?? "", ...destinationOf(sent) }),
  done: ({ location }) => location,
  refused: backToSignIn,
});
