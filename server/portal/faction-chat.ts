import { z } from "zod";
import { SnowflakeText } from "#server/chat/message";
import {
  listFaction,
  nameChatServer,
  setBankingChannel,
  setEventsChannel,
  showEventsChannel,
  unlistFaction,
} from "#server/faction/chat-link/link-acts";
import {
  listAdministeredServers,
  showChatServer,
  showFactionChat,
} from "#server/faction/chat-link/read-chat-link";
import { boundedList } from "#server/platform/bounded-list";
import { FactionId } from "#server/rest/shapes";
import { calling, router, userProcedure } from "#server/trpc/init";

const Listing = z.object({ serverId: SnowflakeText, factionId: FactionId });

const Banking = z.object({
  channelId: SnowflakeText.nullable(),
  roleIds: boundedList(SnowflakeText, { most: 50 }),
});

const Events = z.object({
  channelId: SnowflakeText.nullable(),
  shown: boundedList(z.enum(["hits", "delays"]), { most: 2 }),
});

export const factionChatRouter = router({
  own: userProcedure.query(calling(showFactionChat)),

  /** The faction's side of the link. */
  nameServer: userProcedure
    .input(z.object({ serverId: SnowflakeText.nullable(), shown: SnowflakeText.nullable() }))
    .mutation(calling(nameChatServer)),

  /** Null if the user may not choose it. */
  events: userProcedure.query(calling(showEventsChannel)),

  setEvents: userProcedure
    .input(z.object({ choice: Events, shownBefore: Events }))
    .mutation(calling(setEventsChannel)),

  servers: userProcedure.query(async ({ ctx }) =>
    (await listAdministeredServers(ctx.context, ctx.user)).map(({ serverId, name }) => ({
      serverId: String(serverId),
      name,
    })),
  ),

  server: userProcedure
    .input(z.object({ serverId: SnowflakeText }))
    .query(({ ctx, input }) => showChatServer(ctx.context, ctx.user, input.serverId)),

  /** The server's side of the link. */
  list: userProcedure.input(Listing).mutation(calling(listFaction)),

  unlist: userProcedure.input(Listing).mutation(calling(unlistFaction)),

  /** Also the mentioned roles. */
  banking: userProcedure
    .input(Listing.extend({ ...Banking.shape, shown: Banking }))
    .mutation(calling(setBankingChannel)),
});
