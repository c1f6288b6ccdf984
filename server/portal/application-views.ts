import { z } from "zod";
import { countRoom } from "#server/oauth/clients/application-acts";
import { callOutcomes } from "#server/oauth/clients/calls/log-entries";
import { exportCalls, showCall, showCalls } from "#server/oauth/clients/calls/show-calls";
import { askDoctor } from "#server/oauth/clients/diagnose";
import { showLiveGrants } from "#server/oauth/clients/live-grants/live-grants";
import { maskSecrets } from "#server/oauth/clients/read-pasted";
import {
  showFailedAttempts,
  showFirstRun,
  showFunnel,
  showTraffic,
} from "#server/oauth/clients/traffic/show-traffic";
import { trafficRanges } from "#server/oauth/clients/traffic/traffic";
import { moment, text } from "#server/platform/input-schemas";
import { calling, router, userProcedure } from "#server/trpc/init";

export const OneApplication = z.object({ clientId: text(100) });
/** From the page before. */
export const Continued = z.object({ after: text(100).nullable().default(null) });
const Listed = OneApplication.extend(Continued.shape);

const InRange = OneApplication.extend({ range: z.enum(trafficRanges).default("24h") });

const CallFilter = z.object({
  outcome: z.enum(callOutcomes).default("all"),
  endpoint: text(200).nullable().default(null),
  player: text(100).nullable().default(null),
  range: z.enum(trafficRanges).default("30d"),
  until: moment.nullable().default(null),
});

export const applicationViews = {
  room: userProcedure.query(calling(countRoom)),

  traffic: userProcedure
    .input(InRange.extend({ until: moment.nullable().default(null) }))
    .query(calling(showTraffic)),

  firstRun: userProcedure.input(OneApplication).query(calling(showFirstRun)),

  funnel: userProcedure.input(InRange).query(calling(showFunnel)),

  calls: userProcedure.input(Listed.extend(CallFilter.shape)).query(calling(showCalls)),

  callsFile: userProcedure
    .input(OneApplication.extend(CallFilter.shape))
    .mutation(calling(exportCalls)),

  loggedCall: userProcedure
    .input(OneApplication.extend({ requestId: text(100) }))
    .query(calling(showCall)),

  failedAttempts: userProcedure.input(Listed).query(calling(showFailedAttempts)),

  liveGrants: userProcedure.input(Listed).query(calling(showLiveGrants)),
};

/** Longer than addresses that browsers and servers accept. */
const longestAsked = 8_000;

export const doctorRouter = router({
  examine: userProcedure
    .input(z.object({ text: text(longestAsked) }))
    .query(({ ctx, input }) => askDoctor(ctx.context, ctx.user, input.text)),

  /** Secrets become hashes, so that the text may appear in the page's address. */
  mask: userProcedure
    .input(z.object({ text: text(longestAsked) }))
    .mutation(({ ctx, input }) => maskSecrets(ctx.context.keyring, input.text)),
});
