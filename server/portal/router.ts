import type { inferRouterOutputs } from "@trpc/server";
import { accountRouter } from "#server/portal/account";
import { adminRouter } from "#server/portal/admin";
import { doctorRouter } from "#server/portal/application-views";
import { applicationsRouter } from "#server/portal/applications";
import { authorizationRouter } from "#server/portal/authorization";
import { bankingRouter } from "#server/portal/banking";
import { chatRouter } from "#server/portal/chat";
import { consentsRouter } from "#server/portal/consents";
import { factionAccessRouter } from "#server/portal/faction-access";
import { factionBoardRouter, factionStatsRouter } from "#server/portal/faction-board";
import { factionChatRouter } from "#server/portal/faction-chat";
import { demoRouter, playersRouter, stocksRouter, targetsRouter } from "#server/portal/game";
import { operationsRouter } from "#server/portal/operations";
import { passkeysRouter } from "#server/portal/passkeys";
import { confirmationRouter, secondFactorRouter } from "#server/portal/security";
import { sessionRouter } from "#server/portal/session";
import { signInRouter } from "#server/portal/sign-in";
import { teamRouter } from "#server/portal/team";
import { verificationRouter } from "#server/portal/verification";
import { webhooksRouter } from "#server/portal/webhooks";
import { createCallerFactory, router } from "../trpc/init";

/** Called in this process by pages and form targets. Failures are TRPCErrors. */
export const portalRouter = router({
  session: sessionRouter,
  confirmation: confirmationRouter,
  signIn: signInRouter,
  account: accountRouter,
  secondFactor: secondFactorRouter,
  passkeys: passkeysRouter,
  applications: applicationsRouter,
  team: teamRouter,
  verification: verificationRouter,
  webhooks: webhooksRouter,
  doctor: doctorRouter,
  chat: chatRouter,
  factionStats: factionStatsRouter,
  consents: consentsRouter,
  authorization: authorizationRouter,
  banking: bankingRouter,
  factionAccess: factionAccessRouter,
  factionBoard: factionBoardRouter,
  factionChat: factionChatRouter,
  players: playersRouter,
  stocks: stocksRouter,
  targets: targetsRouter,
  demo: demoRouter,
  admin: adminRouter,
  operations: operationsRouter,
});

export type Answers = inferRouterOutputs<typeof portalRouter>;

export const createCaller = createCallerFactory(portalRouter);

/** All that `/api/trpc` answers: what client components call. A test compares it with app/. */
export const browserRouter = router({
  confirmation: confirmationRouter,
  secondFactor: {
    begin: secondFactorRouter.begin,
    confirm: secondFactorRouter.confirm,
    disable: secondFactorRouter.disable,
    renewBackupCodes: secondFactorRouter.renewBackupCodes,
  },
  factionBoard: {
    show: factionBoardRouter.show,
    hits: factionBoardRouter.hits,
    crimes: factionBoardRouter.crimes,
    vault: factionBoardRouter.vault,
    members: factionBoardRouter.members,
  },
  passkeys: {
    begin: passkeysRouter.begin,
    add: passkeysRouter.add,
    rename: passkeysRouter.rename,
    beginConfirmation: passkeysRouter.beginConfirmation,
  },
  applications: {
    names: applicationsRouter.names,
    get: applicationsRouter.get,
    create: applicationsRouter.create,
    update: applicationsRouter.update,
    createSecret: applicationsRouter.createSecret,
  },
  webhooks: {
    add: webhooksRouter.add,
    verify: webhooksRouter.verify,
    test: webhooksRouter.test,
    rotate: webhooksRouter.rotate,
  },
  demo: { show: demoRouter.show },
});

export type BrowserRouter = typeof browserRouter;
