import { z } from "zod";
import { form } from "#app/_lib/form";
import { confirmPath, signInPath } from "#app/_lib/sign-in-path";
import { destination } from "#app/sign-in/destination";
import { safeNext } from "#server/auth/safe-next";
import { isSignInRefusal } from "#server/auth/sign-in-refused";

/** A code where there is one, else a game key. */
export const POST = form({
  fields: z.object({ code: z.string().optional(), game_key: z.string().default(""), ...destination }),
  procedure: ({ confirmation }, { code, game_key: gameKey }) =>
    code === undefined ? confirmation.withGameKey({ gameKey }) : confirmation.withCode({ code }),
  done: (_, { next, request }) => (request ? `/consent/${request}` : safeNext(next)),
  refused: ({ reason: error }, { next, request }) => {
    if (error === "session-over") return signInPath({ next, request });
    if (error === undefined || !isSignInRefusal(error) || error === "throttled") return undefined;
    return confirmPath({ error, next, request });
  },
});
