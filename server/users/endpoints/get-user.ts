import { UnknownUser } from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { User, userRecord } from "../contract";
import { findOwnPlayer } from "../store";

export const getUser = endpoint({
  method: "GET",
  path: "/user",
  title: "Get User",
  description: "The player who authorised the application, as last seen in the game.",
  tag: "Users",
  scopes: ["identity"],
  returns: User,
  fails: [UnknownUser],
  handle: async ({ ctx, by, player }) => {
    const own = player ?? (await findOwnPlayer(ctx.database, by.playerId));
    if (!own) throw UnknownUser.because();
    return userRecord(own);
  },
});
