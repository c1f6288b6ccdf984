import { TRPCError } from "@trpc/server";
import { assertFresh } from "#server/auth/fresh-sign-in";
import { publicProcedure } from "./init";

/**
 * For those whom ADMIN_USER_IDS names. To anybody else, signed in or not, it looks like a procedure that does not exist;
 * it is checked before the input is read.
 */
export const adminProcedure = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.user?.admin) throw new TRPCError({ code: "NOT_FOUND" });
  return next({ ctx: { ...ctx, user: ctx.user } });
});

/** For admins who signed in within the last 15 minutes: every act of theirs wants that. */
export const freshAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  assertFresh(ctx.user, ctx.context.now());
  return next();
});
