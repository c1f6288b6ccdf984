import { z } from "zod";
import { form } from "#app/_lib/form";
import { backToConfirm, destination, wayOn } from "#app/sign-in/destination";

/** A code if the account has one, else a game key. */
export const POST = form({
  fields: z.object({
    code: z.string().optional(),
    game_key: z.string().default(""),
    ...destination,
  }),
  procedure: ({ confirmation }, { code, game_key: gameKey }) =>
    code === undefined ? confirmation.withGameKey({ gameKey }) : confirmation.withCode({ code }),
  done: (_, to) => wayOn(to),
  refused: backToConfirm,
});
