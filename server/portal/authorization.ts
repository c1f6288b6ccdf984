import { z } from "zod";
import { previewOwnFaction } from "#server/faction/preview-own-faction";
import { decideRequest } from "#server/oauth/authorize/decide-request";
import { CallbackQuery, showCallback } from "#server/oauth/authorize/read-callback";
import { restartAddress } from "#server/oauth/authorize/resume-authorization";
import { showRequest } from "#server/oauth/authorize/show-request";
import { boundedList } from "#server/platform/bounded-list";
import { text } from "#server/platform/input-schemas";
import { publicProcedure, router, userProcedure } from "#server/trpc/init";

const ScopeNames = boundedList(text(100), { most: 50 });
const Decision = z.object({
  requestId: z.uuid(),
  decision: z.enum(["approve", "deny"]),
  until: z.enum(["day", "month", "revoked", "earlier"]).optional(),
  /** The optional scopes that are allowed. The needed ones are not named: one approves all of them, or denies. */
  ticked: ScopeNames.optional(),
  /** The scopes on the page: an answer to another question than the one that stands is not taken. */
  shown: z.object({ allowed: ScopeNames, optional: ScopeNames }).optional(),
});

/** A pending authorization request: who asks for what, and the player's answer. */
export const authorizationRouter = router({
  show: userProcedure
    .input(z.object({ requestId: z.uuid() }))
    .query(({ ctx, input }) =>
      showRequest(
        ctx.context,
        { requestId: input.requestId, browserId: ctx.browserId, user: ctx.user },
        ctx.origin,
      ),
    ),

  /** The stored data that the faction's scopes would open; null for a player without a faction. */
  factionPreview: userProcedure.query(({ ctx }) => previewOwnFaction(ctx.context, ctx.user)),

  /** How to ask a request again that waited too long, or was meant for another player; null where there is no such way. */
  restart: userProcedure
    .input(z.object({ requestId: z.uuid() }))
    .query(({ ctx, input }) =>
      restartAddress(ctx.context, { requestId: input.requestId, browserId: ctx.browserId }),
    ),

  /** The answer at an application's hosted callback, for the visitor of the page. */
  callback: publicProcedure
    .input(z.object({ clientId: text(100), sent: CallbackQuery }))
    .query(({ ctx, input }) => showCallback(ctx.context, { ...input, user: ctx.user })),

  /** The answer's `location` is the application's: the browser goes there. */
  decide: userProcedure.input(Decision).mutation(({ ctx, input }) =>
    decideRequest(ctx.context, {
      ...input,
      browserId: ctx.browserId,
      user: ctx.user,
      origin: ctx.origin,
    }),
  ),
});
