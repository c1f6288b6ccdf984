import { accountRouter } from "#server/portal/account";
import { adminRouter } from "#server/portal/admin";
import { doctorRouter } from "#server/portal/application-views";
import { applicationsRouter } from "#server/portal/applications";
import { authorizationRouter } from "#server/portal/authorization";
import { bankingRouter } from "#server/portal/banking";
import { chatRouter } from "#server/portal/chat";
import { consentsRouter } from "#server/portal/consents";
import { factionBoardRouter, factionStatsRouter } from "#server/portal/faction-board";
import { factionChatRouter } from "#server/portal/faction-chat";
import { demoRouter, playersRouter, stocksRouter, targetsRouter } from "#server/portal/game";
import { operationsRouter } from "#server/portal/operations";
import { passkeysRouter } from "#server/portal/passkeys";
import { confirmationRouter, secondFactorRouter } from "#server/portal/security";
import { sessionRouter } from "#server/portal/session";
import { signInRouter } from "#server/portal/sign-in";
import { webhooksRouter } from "#server/portal/webhooks";
import { createCallerFactory, router } from "../trpc/init";

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

/** For pages and form targets. Failures are TRPCErrors. */
export const createCaller = createCallerFactory(appRouter);
