import { z } from "zod";
import { callOutcomes, callRanges } from "#server/oauth/clients/calls/logged-call";
import { showCall, showCalls } from "#server/oauth/clients/calls/show-calls";
import { showLiveGrants } from "#server/oauth/clients/live-grants/live-grants";
import { countRoom } from "#server/oauth/clients/register-application";
import { showFailedAttempts, showFunnel, showTraffic } from "#server/oauth/clients/traffic/show-traffic";
import { trafficRanges } from "#server/oauth/clients/traffic/traffic";
import { readFromReplica } from "#server/read-from-replica";
import { userProcedure } from "#server/trpc/init";

export const OneApplication = z.object({ clientId: z.string().max(100) });
/** Where a list goes on, as the page before said. */
export const Continued = z.object({ after: z.string().max(100).nullable().default(null) });
const Listed = OneApplication.extend(Continued.shape);

const CallFilter = z.object({
  outcome: z.enum(callOutcomes).default("all"),
  endpoint: z.string().max(200).nullable().default(null),
  player: z.string().max(100).nullable().default(null),
  range: z.enum(callRanges).default("30d"),
  until: z.date().nullable().default(null),
});

/** How many applications a developer has room for, and how one of their own does. They stand among the other procedures of applications. */
export const applicationViews = {
  /** How many more the developer may register. */
  room: userProcedure.query(({ ctx }) => countRoom(ctx.context, ctx.user)),

  /** Calls, errors and latency of a range, by time and by endpoint. */
  traffic: userProcedure
    .input(OneApplication.extend({ range: z.enum(trafficRanges).default("7d") }))
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showTraffic(on, ctx.user, input))),

  /** Players of seven days, from the consent page to the first call. */
  funnel: userProcedure
    .input(OneApplication)
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showFunnel(on, ctx.user, input))),

  calls: userProcedure
    .input(Listed.extend(CallFilter.shape))
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showCalls(on, ctx.user, input))),

  loggedCall: userProcedure
    .input(OneApplication.extend({ requestId: z.string().max(100) }))
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showCall(on, ctx.user, input))),

  failedAttempts: userProcedure
    .input(Listed)
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showFailedAttempts(on, ctx.user, input))),

  liveGrants: userProcedure
    .input(Listed)
    .query(({ ctx, input }) => readFromReplica(ctx.context, (on) => showLiveGrants(on, ctx.user, input))),
};
