import { z } from "zod";
import { form } from "#app/_lib/form";
import { backToSignIn, destination } from "../destination";

export const POST = form({
  token: false,
  fields: z.object({ game_key: z.string().default(""), ...destination }),
  procedure: ({ signIn }, { game_key, next, request }) =>
    signIn.withGameKey({ gameKey: game_key, next, requestId: request }),
  done: ({ location }) => location,
  refused: backToSignIn,
});
