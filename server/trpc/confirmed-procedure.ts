import { assertConfirmed } from "#server/auth/confirmation";
import { userProcedure } from "./init";

/** For those who confirmed lately who they are; others get FORBIDDEN with the reason CONFIRMATION_WANTED. */
export const confirmedProcedure = userProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});
