import { z } from "zod";
import { form } from "#app/_lib/form";

export const POST = form({
  page: ({ playerId }) => `/players/${playerId}`,
  fields: z.object({ playerId: z.coerce.number() }),
  procedure: ({ players }, { playerId }) => players.read({ playerId }),
  done: "?done=read",
  refused: ({ code }) => (code === undefined ? undefined : `?error=${code}`),
});
