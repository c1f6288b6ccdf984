import { assertFresh } from "#server/auth/fresh-sign-in";
import { userProcedure } from "./init";

/** For those who signed in within the last 15 minutes; others get FORBIDDEN with the reason SIGN_IN_STALE. */
export const freshProcedure = userProcedure.use(({ ctx, next }) => {
  assertFresh(ctx.user, ctx.context.now());
  return next();
});
