import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { errorsJumped } from "#server/oauth/clients/traffic/jobs/notify-error-jumps";
import { dayMs } from "#server/platform/durations";
import { countTroubles } from "./failing-applications-store";

/** An application of the user's that wants a look. */
export interface FailingApplication {
  readonly clientId: string;
  /** Whether its errors jumped within the last day. */
  readonly errorsJumped: boolean;
  /** Webhook endpoints that fail, or that were switched off for it. */
  readonly endpoints: number;
}

/** The user's applications whose calls or webhooks fail. Asked by the header of each page. */
export async function listFailingApplications(
  ctx: Context,
  { accountId }: PortalUser,
): Promise<readonly FailingApplication[]> {
  const since = new Date(ctx.now().getTime() - dayMs);
  const troubles = await countTroubles(ctx.database, { accountId, kind: errorsJumped, since });
  return troubles.filter((each) => each.errorsJumped || each.endpoints > 0);
}
