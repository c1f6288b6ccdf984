import { z } from "zod";
import { diagnose } from "#server/oauth/clients/diagnose";
import { showLiveGrants } from "#server/oauth/clients/live-grants/live-grants";
import { showCalls, showFailedAttempts, showFunnel, showTraffic } from "#server/oauth/clients/traffic/show-traffic";
import { callOutcomes } from "#server/oauth/clients/traffic/traffic";
import { readFromReplica } from "#server/read-from-replica";
import { router, userProcedure } from "#server/trpc/init";

export const OneApplication = z.object({ clientId: z.string().max(100) });
/** Where a list goes on, as the page before said. */
export const Continued = z.object({ after: z.string().max(100).nullable().default(null) });
const Listed = OneApplication.extend(Continued.shape);

/** How an application of the developer's own does. They stand among the other procedures of applications. */
export const applicationViews = {
  /** Calls, errors, latency and players of seven days. */
  traffic: userProcedure
    .input(OneApplication)
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showTraffic(on, ctx.user, input))),

  /** Players of seven days, from the consent page to the first call. */
  funnel: userProcedure
    .input(OneApplication)
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showFunnel(on, ctx.user, input))),

  calls: userProcedure
    .input(Listed.extend({ outcome: z.enum(callOutcomes).default("all") }))
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showCalls(on, ctx.user, input))),

  failedAttempts: userProcedure
    .input(Listed)
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showFailedAttempts(on, ctx.user, input))),

  liveGrants: userProcedure
    .input(Listed)
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showLiveGrants(on, ctx.user, input))),
};

/** Longer than any address that a browser or a server of the field would take. */
const longestAsked = 8_000;

/** Says what is wrong with an authorization URL, or what became of a call. */
export const doctorRouter = router({
  examine: userProcedure
    .input(z.object({ text: z.string().max(longestAsked) }))
    .query(({ ctx, input }) => diagnose(ctx.context, ctx.user, input.text)),
});
