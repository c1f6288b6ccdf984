import type { Queryable } from "#db/client";
import type { Actor, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { charge } from "#server/platform/limiter/limiter";
import { lockApplication, requireApplication } from "../own-applications";
import { saveApplication } from "../store";
import { checklistOf } from "./checklist";
import {
  closeVerificationRequest,
  countIdleEndpoints,
  findVerificationRequest,
  openVerificationRequest,
} from "./store";

/** Each enters the audit log. */
const requestsAMinute = 5;

interface OneApplication {
  readonly clientId: string;
}

/**
 * At most one is open. Idempotent.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · TooManyRequests · GeneralError if it is
 * verified, or something of the checklist is missing
 */
export async function requestVerification(
  ctx: Context,
  by: PortalUser,
  { clientId }: OneApplication,
): Promise<void> {
  await requireApplication(ctx.database.query, by, clientId, "ownership");
  const window = { policy: "verification-requests", subject: by.accountId, limit: requestsAMinute };
  await charge(ctx, window, "requests");
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, by, clientId, "ownership");
    if (application.verified)
      throw GeneralError.because({ message: "The application is verified already." });
    const list = checklistOf(application, await countIdleEndpoints(tx, clientId));
    const unmet = list.filter(({ met }) => !met).map(({ label }) => label);
    if (unmet.length > 0)
      throw GeneralError.because({ message: `Still missing: ${unmet.join("; ")}.` });
    const last = await findVerificationRequest(tx, clientId);
    if (last?.outcome === null) return;
    await openVerificationRequest(tx, { clientId, requestedAt: ctx.now() });
    // Decisions name the version of the application that was looked at.
    await saveApplication(tx, clientId, { version: application.version + 1 });
    await ctx.audit(tx, by, "verification_request.made", { clientId });
  });
}

/** Idempotent. @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW */
export async function withdrawRequest(
  ctx: Context,
  by: PortalUser,
  { clientId }: OneApplication,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { version } = await lockApplication(tx, by, clientId, "ownership");
    if (await endRequest(ctx, tx, by, { clientId }))
      await saveApplication(tx, clientId, { version: version + 1 });
  });
}

/** With the application locked; the caller writes the audit event. @returns false if none is open */
export const closeRequest = (
  ctx: Context,
  tx: Queryable,
  end: OneApplication & {
    readonly outcome: "verified" | "declined" | "withdrawn";
    readonly reason?: string | undefined;
  },
): Promise<boolean> =>
  closeVerificationRequest(tx, end.clientId, {
    ...{ outcome: end.outcome, closedAt: ctx.now(), reason: end.reason ?? null },
  });

export const countIdle = (ctx: Context, clientId: string): Promise<number> =>
  countIdleEndpoints(ctx.database.query, clientId);

/** With the application locked. @returns false if none is open */
export async function endRequest(
  ctx: Context,
  tx: Queryable,
  by: Actor,
  { clientId }: OneApplication,
): Promise<boolean> {
  if (!(await closeRequest(ctx, tx, { clientId, outcome: "withdrawn" }))) return false;
  await ctx.audit(tx, by, "verification_request.withdrawn", { clientId });
  return true;
}
