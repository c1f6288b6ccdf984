import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import type { AuditEvent, Origin } from "./audit";

/** Refusals that one network may put into the audit log in a clock minute. */
const mostNoted = 60;

/**
 * Writes down the refusal of a caller who proved nothing. Anybody can be refused as often as they like: without a bound one
 * address could push what matters out of what an admin reads.
 */
export async function auditRefusal(
  ctx: Context,
  event: AuditEvent & { readonly origin: Origin },
): Promise<void> {
  const subject = networkOf(event.origin.address);
  const state = await ctx.limiter.take({ policy: "refusals-noted", subject, limit: mostNoted });
  if (state.allowed) await ctx.audit(ctx.database.query, event);
}
