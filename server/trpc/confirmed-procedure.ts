import { TRPCError } from "@trpc/server";
import { assertConfirmed } from "#server/auth/confirmation";
import { mayAdminister } from "#server/auth/second-factor/second-factor-acts";
import { portalRefusal } from "#server/portal-refusal";
import { publicProcedure, userProcedure } from "./init";

export const confirmedProcedure = userProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});

/** Checked before the input is parsed; to everyone but an admin the procedure does not exist. */
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

export const confirmedAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});
