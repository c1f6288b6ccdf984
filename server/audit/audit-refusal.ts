import type { Actor, JobActor, RequestSource } from "#server/actor";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import type { AuditedAct, AuditFacts } from "./audit";

/** Per network and clock minute. */
const mostNoted = 60;

/**
 * Bounded, because anyone can cause refusals and bury important events.
 * @param about application and error, of which a network has fewer lines
 */
export async function mayNoteRefusal(
  { limiter, settings }: Context,
  { address }: RequestSource,
  about?: string,
): Promise<boolean> {
  const network = networkOf(address);
  const ofClient = {
    policy: "client-refusals-noted",
    subject: `${network} ${about}`,
    limit: settings.rates.clientFailures,
  };
  if (about !== undefined && !(await limiter.take(ofClient)).allowed) return false;
  const ofNetwork = { policy: "refusals-noted", subject: network, limit: mostNoted };
  return (await limiter.take(ofNetwork)).allowed;
}

export async function auditRefusal(
  ctx: Context,
  by: Exclude<Actor, JobActor>,
  act: AuditedAct,
  facts: AuditFacts,
): Promise<void> {
  const { clientId, details } = facts;
  // Unknown client ids share one window, to bound the limiter's memory.
  const about = clientId === undefined ? undefined : `${clientId ?? "unknown"} ${details?.error}`;
  if (await mayNoteRefusal(ctx, by.from, about))
    await ctx.audit(ctx.database.query, by, act, facts);
}
