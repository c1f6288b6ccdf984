import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { countBacklog, findDueSince } from "./backlog-store";

/** The deliveries that wait for endpoints that are switched on. */
export interface WebhookBacklog {
  readonly messages: number;
  /** Endpoints that answered the last attempt with a failure. */
  readonly failing: number;
  /** How long the oldest event waits for an endpoint that is due and that no process serves; 0 where there is none. */
  readonly lagSeconds: number;
}

/** How far delivery is behind. */
export async function webhookBacklog(ctx: Context): Promise<WebhookBacklog> {
  const [now, on] = [ctx.now(), ctx.database.keyPool];
  const counts = await countBacklog(on);
  const since = await findDueSince(on, now);
  return { ...counts, lagSeconds: since ? (now.getTime() - since.getTime()) / secondMs : 0 };
}
