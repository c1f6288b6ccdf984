import { z } from "zod";
import { SnowflakeText } from "#server/chat/message";
import {
  setBankingChannel,
  setEventsChannel,
  showEventsChannel,
} from "#server/faction/chat-link/choose-channels";
import { listFaction, nameChatServer, unlistFaction } from "#server/faction/chat-link/linking";
import {
  listAdministeredServers,
  showChatServer,
  showFactionChat,
} from "#server/faction/chat-link/show-chat-server";
import { boundedList } from "#server/platform/bounded-list";
import { FactionId } from "#server/rest/shapes";
import { router, userProcedure } from "#server/trpc/init";

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
  own: userProcedure.query(({ ctx }) => showFactionChat(ctx.context, ctx.user)),

  /** The faction's side of the link. */
  nameServer: userProcedure
    .input(z.object({ serverId: SnowflakeText.nullable(), shown: SnowflakeText.nullable() }))
    .mutation(({ ctx, input }) => nameChatServer(ctx.context, ctx.user, input)),

  /** Null if the user may not choose it. */
  events: userProcedure.query(({ ctx }) => showEventsChannel(ctx.context, ctx.user)),

  setEvents: userProcedure
    .input(z.object({ choice: Events, shownBefore: Events }))
    .mutation(({ ctx, input }) => setEventsChannel(ctx.context, ctx.user, input)),

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
  list: userProcedure
    .input(Listing)
    .mutation(({ ctx, input }) => listFaction(ctx.context, ctx.user, input)),

  unlist: userProcedure
    .input(Listing)
    .mutation(({ ctx, input }) => unlistFaction(ctx.context, ctx.user, input)),

  /** Also the mentioned roles. */
  banking: userProcedure
    .input(Listing.extend({ ...Banking.shape, shown: Banking }))
    .mutation(({ ctx, input }) => setBankingChannel(ctx.context, ctx.user, input)),
});
