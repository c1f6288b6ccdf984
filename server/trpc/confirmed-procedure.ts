import { TRPCError } from "@trpc/server";
import { assertConfirmed } from "#server/auth/confirmation";
import { mayAdminister } from "#server/auth/second-factor/second-factor-acts";
import { portalRefusal } from "#server/portal-refusal";
import { publicProcedure, userProcedure } from "./init";

/** For those who confirmed lately who they are; others get FORBIDDEN with the reason CONFIRMATION_WANTED. */
export const confirmedProcedure = userProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});

/**
 * For players that ADMIN_USER_IDS names and whose session passed a second factor. To anybody else than an admin, signed in or
 * not, it looks like a procedure that does not exist; it is checked before the input is read.
 */
export const adminProcedure = publicProcedure.use(({ ctx, next }) => {
  const { user } = ctx;
  if (!user?.admin) throw new TRPCError({ code: "NOT_FOUND" });
  if (!mayAdminister(user, ctx.context.settings))
    throw portalRefusal({
      status: 403,
      reason: "SECOND_FACTOR_WANTED",
      message:
        "Administration needs a second factor. Set it up on your account page, or confirm with a code of it.",
    });
  return next({ ctx: { ...ctx, user } });
});

/** For admins who confirmed lately who they are: every act of theirs wants that. */
export const confirmedAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});
