import { z } from "zod";
import { assertConfirmed } from "#server/auth/confirmation";
import { text } from "#server/platform/input-schemas";
import { confirmedProcedure, resolverOf, router, userProcedure } from "#server/trpc/procedures";
import {
  EndpointChanges,
  EndpointInput,
  ReplayInput,
  ResumeInput,
  RotationInput,
} from "#server/webhooks/contract";
import {
  addEndpoint,
  changeEndpoint,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from "#server/webhooks/endpoint-acts";
import { listDeliveries, listEndpoints } from "#server/webhooks/endpoint-views";
import { replay } from "#server/webhooks/replay";
import { sendTestEvent, verifyEndpoint } from "#server/webhooks/try-endpoint";
import { CursorInput } from "./applications";

/** Null for the account's own endpoint, which gets its notices. */
const Owner = z.object({ clientId: text(100).nullable() });
const OneEndpoint = Owner.extend({ endpointId: text(100) });

/** Wants a confirmation: a notice may report that the session was stolen. */
const silencing = userProcedure.input(OneEndpoint).use(({ ctx, input, next }) => {
  if (input.clientId === null) assertConfirmed(ctx.context, ctx.user);
  return next();
});

/** An application of another team looks unknown. */
export const webhooksRouter = router({
  list: userProcedure.input(Owner).query(resolverOf(listEndpoints)),

  deliveries: userProcedure
    .input(
      OneEndpoint.extend(CursorInput.shape).extend({ unsuccessful: z.boolean().default(false) }),
    )
    .query(resolverOf(listDeliveries)),

  /** No other answer has the secret. */
  add: confirmedProcedure
    .input(EndpointInput.extend(Owner.shape))
    .mutation(resolverOf(addEndpoint)),

  verify: userProcedure.input(OneEndpoint).mutation(resolverOf(verifyEndpoint)),

  change: userProcedure
    .input(EndpointChanges.extend(OneEndpoint.shape))
    .mutation(({ ctx, input }) => {
      if (input.url !== undefined) assertConfirmed(ctx.context, ctx.user);
      return changeEndpoint(ctx.context, ctx.user, input);
    }),

  /** No other answer has the secret. */
  rotate: confirmedProcedure
    .input(RotationInput.extend(OneEndpoint.shape))
    .mutation(resolverOf(rotateSecret)),

  pause: silencing.mutation(resolverOf(pauseEndpoint)),

  resume: userProcedure.input(ResumeInput.extend(OneEndpoint.shape)).mutation(({ ctx, input }) => {
    // `now` drops the notices that wait.
    if (input.clientId === null && input.from === "now") assertConfirmed(ctx.context, ctx.user);
    return resumeEndpoint(ctx.context, ctx.user, input);
  }),

  test: userProcedure
    .input(OneEndpoint.extend({ type: text(100) }))
    .mutation(resolverOf(sendTestEvent)),

  replay: userProcedure
    .input(OneEndpoint.extend({ which: ReplayInput }))
    .mutation(resolverOf(replay)),

  remove: silencing.mutation(resolverOf(removeEndpoint)),
});
