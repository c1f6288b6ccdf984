import { accountRouter } from "#server/portal/account";
import { adminRouter } from "#server/portal/admin";
import { applicationsRouter } from "#server/portal/applications";
import { authorizationRouter } from "#server/portal/authorization";
import { bankingRouter } from "#server/portal/banking";
import { chatRouter } from "#server/portal/chat";
import { confirmationRouter } from "#server/portal/confirmation";
import { consentsRouter } from "#server/portal/consents";
import { demoRouter } from "#server/portal/demo";
import { doctorRouter } from "#server/portal/doctor";
import { factionBoardRouter, factionStatsRouter } from "#server/portal/faction-board";
import { factionChatRouter } from "#server/portal/faction-chat";
import { operationsRouter } from "#server/portal/operations";
import { passkeysRouter } from "#server/portal/passkeys";
import { playersRouter } from "#server/portal/players";
import { secondFactorRouter } from "#server/portal/second-factor";
import { sessionRouter } from "#server/portal/session";
import { signInRouter } from "#server/portal/sign-in";
import { stocksRouter } from "#server/portal/stocks";
import { targetsRouter } from "#server/portal/targets";
import { webhooksRouter } from "#server/portal/webhooks";
import { createCallerFactory, router } from "../trpc/init";

/** All that the portal's pages can ask for or do. */
export const appRouter = router({
  session: sessionRouter,
  confirmation: confirmationRouter,
  signIn: signInRouter,
  account: accountRouter,
  secondFactor: secondFactorRouter,
  passkeys: passkeysRouter,
  applications: applicationsRouter,
  webhooks: webhooksRouter,
  doctor: doctorRouter,
  chat: chatRouter,
  factionStats: factionStatsRouter,
  consents: consentsRouter,
  authorization: authorizationRouter,
  banking: bankingRouter,
  factionBoard: factionBoardRouter,
  factionChat: factionChatRouter,
  players: playersRouter,
  stocks: stocksRouter,
  targets: targetsRouter,
  demo: demoRouter,
  admin: adminRouter,
  operations: operationsRouter,
});

export type AppRouter = typeof appRouter;

/** The same procedures without HTTP, for pages and form targets. Failures are thrown as TRPCError. */
export const createCaller = createCallerFactory(appRouter);
