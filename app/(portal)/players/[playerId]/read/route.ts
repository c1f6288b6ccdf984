import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/players/[playerId]",
  procedure: ({ players }, sent) => players.read({ playerId: sent.number("playerId") }),
  done: "?done=read",
  refused: ({ code }) => (code === undefined ? undefined : `?error=${code}`),
});
