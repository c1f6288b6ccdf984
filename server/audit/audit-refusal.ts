import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import type { AuditEvent, Origin } from "./audit";

/** Per network and clock minute. */
const mostNoted = 60;

/**
 * Bounded, because anyone can cause refusals: one address could otherwise bury important events.
 */
export async function auditRefusal(
  ctx: Context,
  event: AuditEvent & { readonly origin: Origin },
): Promise<void> {
  const subject = networkOf(event.origin.address);
  const state = await ctx.limiter.take({ policy: "refusals-noted", subject, limit: mostNoted });
  if (state.allowed) await ctx.audit(ctx.database.query, event);
}
