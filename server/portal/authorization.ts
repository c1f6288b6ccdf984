import { z } from "zod";
import { previewOwnFaction } from "#server/faction/preview-own-faction";
import { decideRequest } from "#server/oauth/authorize/decide-request";
import { CallbackQuery, showCallback } from "#server/oauth/authorize/read-callback";
import { restartAddress } from "#server/oauth/authorize/resume-authorization";
import { showRequest } from "#server/oauth/authorize/show-request";
import { boundedList } from "#server/platform/bounded-list";
import { text } from "#server/platform/input-schemas";
import { calling, publicProcedure, router, userProcedure } from "#server/trpc/init";

const ScopeNames = boundedList(text(100), { most: 50 });
const Decision = z.object({
  requestId: z.uuid(),
  decision: z.enum(["approve", "deny"]),
  until: z.enum(["day", "month", "revoked", "earlier"]).optional(),
  /** Optional scopes; the needed ones are approved together. */
  ticked: ScopeNames.optional(),
  /** Refused if the question has changed since. */
  shown: z.object({ allowed: ScopeNames, optional: ScopeNames }).optional(),
});

export const authorizationRouter = router({
  show: userProcedure
    .input(z.object({ requestId: z.uuid() }))
    .query(({ ctx, input }) =>
      showRequest(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),

  /** Null without a faction. */
  factionPreview: userProcedure.query(calling(previewOwnFaction)),

  /** For an expired request, or one for another player. */
  restart: userProcedure
    .input(z.object({ requestId: z.uuid() }))
    .query(({ ctx, input }) =>
      restartAddress(ctx.context, { requestId: input.requestId, browserId: ctx.browserId }),
    ),

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
