import type { Actor, JobActor } from "#server/actor";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import type { AuditedAct, AuditFacts } from "./audit";

/** Per network and clock minute. */
const mostNoted = 60;

/**
 * Bounded, because anyone can cause refusals: one address could otherwise bury important events.
 */
export async function auditRefusal(
  ctx: Context,
  by: Exclude<Actor, JobActor>,
  act: AuditedAct,
  facts: AuditFacts,
): Promise<void> {
  const subject = networkOf(by.from.address);
  const state = await ctx.limiter.take({ policy: "refusals-noted", subject, limit: mostNoted });
  if (state.allowed) await ctx.audit(ctx.database.query, by, act, facts);
}
