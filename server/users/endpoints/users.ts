import { z } from "zod";
import {
  GameError,
  GameTimeout,
  GameUnavailable,
  InsufficientPermissions,
  UnknownKey,
  UnknownUser,
} from "#server/failures";
import { defineEndpoint } from "#server/rest/endpoint";
import { queryBoolean } from "#server/rest/shapes";
import { SpecificUser, specificUserRecord, User, userRecord } from "../contract";
import { requirePlayer } from "../find-players";
import { refreshOnRequest } from "../refresh-on-request";

export const getUser = defineEndpoint({
  method: "GET",
  path: "/user",
  title: "Get User",
  did: "Read your profile",
  description: "The player who authorised the application, as last seen in the game.",
  tag: "Users",
  scopes: ["identity"],
  returns: User,
  fails: [UnknownUser],
  handle: ({ player }) => userRecord(player),
});

export const getSpecificUser = defineEndpoint({
  method: "GET",
  path: "/user/<int:user_id>",
  title: "Get Specific User",
  did: "Read a player's profile",
  description:
    "Any player known here. With `refresh=true`, which needs `service_key:usage` as well, the game is asked first, " +
    "with the player's own key or else the caller's, unless that was done in the last ten minutes.",
  tag: "Users",
  scopes: [],
  query: z.object({
    refresh: queryBoolean.default(false).meta({ description: "Whether the game is asked first." }),
  }),
  returns: SpecificUser,
  fails: [
    UnknownUser,
    UnknownKey,
    InsufficientPermissions,
    GameError,
    GameUnavailable,
    GameTimeout,
  ],
  handle: async ({ ctx, by, params, query }) => {
    if (query.refresh) await refreshOnRequest(ctx, by, params.user_id);
    return specificUserRecord(await requirePlayer(ctx, params.user_id));
  },
});
