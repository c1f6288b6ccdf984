import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { countBacklog, findDueSince } from "./backlog-store";

/** Only enabled endpoints. */
export interface WebhookBacklog {
  readonly messages: number;
  readonly failing: number;
  /** Age of the oldest event that is due and not being sent; 0 without one. */
  readonly lagSeconds: number;
}

export async function webhookBacklog(ctx: Context): Promise<WebhookBacklog> {
  const [now, on] = [ctx.now(), ctx.database.keyPool];
  const counts = await countBacklog(on);
  const since = await findDueSince(on, now);
  return { ...counts, lagSeconds: since ? (now.getTime() - since.getTime()) / secondMs : 0 };
}
