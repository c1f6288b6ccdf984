import { z } from "zod";
import { previewOwnFaction } from "#server/faction/preview-own-faction";
import { Decision, decideRequest } from "#server/oauth/authorize/decide-request";
import { CallbackQuery, showCallback } from "#server/oauth/authorize/read-callback";
import { showRequest } from "#server/oauth/authorize/show-request";
import { restartAddress } from "#server/oauth/authorize/start-authorization";
import { text } from "#server/platform/input-schemas";
import { calling, publicProcedure, router, userProcedure } from "#server/trpc/init";

const OneRequest = z.object({ requestId: z.uuid() });

export const authorizationRouter = router({
  show: userProcedure
    .input(OneRequest)
    .query(({ ctx, input }) =>
      showRequest(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),

  /** Null without a faction. */
  factionPreview: userProcedure.query(calling(previewOwnFaction)),

  /** For an expired request, or one for another player. */
  restart: userProcedure
    .input(OneRequest)
    .query(({ ctx, input }) => restartAddress(ctx.context, { ...input, browserId: ctx.browserId })),

  callback: publicProcedure
    .input(z.object({ clientId: text(100), sent: CallbackQuery }))
    .query(({ ctx, input }) => showCallback(ctx.context, { ...input, user: ctx.user })),

  /** `location` is an address of the application. */
  decide: userProcedure
    .input(Decision)
    .mutation(({ ctx, input }) =>
      decideRequest(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),
});
