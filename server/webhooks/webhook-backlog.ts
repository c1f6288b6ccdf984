import type { Context } from "#server/context";
import { secondMs } from "#server/platform/durations";
import { countBacklog } from "./endpoint-store";

/** What waits to be sent to endpoints that are switched on. */
export interface WebhookBacklog {
  readonly messages: number;
  /** Endpoints that answered the last attempt with a failure. */
  readonly failing: number;
  /** For how long an endpoint has been due that no process serves; 0 where there is none. */
  readonly lagSeconds: number;
}

/** How far delivery is behind. */
export async function webhookBacklog(ctx: Context): Promise<WebhookBacklog> {
  const now = ctx.now();
  const { messages, failing, dueSince } = await countBacklog(ctx.database.keyPool, now);
  return { messages, failing, lagSeconds: dueSince === null ? 0 : (now.getTime() - dueSince.getTime()) / secondMs };
}
