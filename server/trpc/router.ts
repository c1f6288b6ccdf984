import { accountRouter } from "#server/portal/account";
import { applicationsRouter } from "#server/portal/applications";
import { authorizationRouter } from "#server/portal/authorization";
import { consentsRouter } from "#server/portal/consents";
import { sessionRouter } from "#server/portal/session";
import { signInRouter } from "#server/portal/sign-in";
import { createCallerFactory, router } from "./init";

/** All that the portal's pages can ask for or do. */
export const appRouter = router({
  session: sessionRouter,
  signIn: signInRouter,
  account: accountRouter,
  applications: applicationsRouter,
  consents: consentsRouter,
  authorization: authorizationRouter,
});

export type AppRouter = typeof appRouter;

/** The same procedures without HTTP, for pages and form targets. Failures are thrown as TRPCError. */
export const createCaller = createCallerFactory(appRouter);
