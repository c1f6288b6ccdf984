import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";

const brand = Symbol.for("adjutant.confirmation-wanted");

type Clock = Pick<Context, "now" | "settings">;

/**
 * Whether the user proved by game key or second factor who they are, in this session and not too long ago.
 * @param at the moment that counts; by default the present
 */
export const isConfirmed = (ctx: Clock, { confirmedAt }: PortalUser, at = ctx.now()): boolean =>
  confirmedAt !== null && at.getTime() - confirmedAt.getTime() < ctx.settings.lifetimes.confirmation * 1_000;

/** @throws ConfirmationWanted when the last proof is too old, or there was none */
export function assertConfirmed(ctx: Clock, user: PortalUser): void {
  if (!isConfirmed(ctx, user))
    throw Object.assign(new Error("Confirm it's you to continue."), { name: "ConfirmationWanted", [brand]: true });
}

/** Whether something thrown asks for a confirmation. Told apart by brand: two copies of this module live in one process. */
export const isConfirmationWanted = (thrown: unknown): thrown is Error =>
  typeof thrown === "object" && thrown !== null && brand in thrown;
