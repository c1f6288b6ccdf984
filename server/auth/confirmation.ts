import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { portalRefusal } from "#server/portal-refusal";

const reason = "CONFIRMATION_WANTED";

type Clock = Pick<Context, "now" | "settings">;

/**
 * Whether the user proved by game key or second factor who they are, in this session and not too long ago.
 * @param at the moment that counts; by default the present
 */
export const isConfirmed = (ctx: Clock, { confirmedAt }: PortalUser, at = ctx.now()): boolean =>
  confirmedAt !== null && at.getTime() - confirmedAt.getTime() < ctx.settings.lifetimes.confirmation * 1_000;

/** @throws PortalRefusal CONFIRMATION_WANTED when the last proof is too old, or there was none */
export function assertConfirmed(ctx: Clock, user: PortalUser): void {
  if (!isConfirmed(ctx, user)) throw portalRefusal({ reason, status: 403, message: "Confirm it's you to continue." });
}
