import type { inferRouterOutputs } from "@trpc/server";
import { accountRouter, sessionRouter } from "#server/portal/account";
import { adminRouter, operationsRouter } from "#server/portal/admin";
import {
  applicationsRouter,
  doctorRouter,
  teamRouter,
  verificationRouter,
} from "#server/portal/applications";
import { authorizationRouter, consentsRouter } from "#server/portal/consents";
import { demoRouter, playersRouter, stocksRouter, targetsRouter } from "#server/portal/game";
import { confirmationRouter, passkeysRouter, secondFactorRouter } from "#server/portal/security";
import { chatRouter, signInRouter } from "#server/portal/sign-in";
import { webhooksRouter } from "#server/portal/webhooks";
import { createCallerFactory, router } from "../trpc/init";
import {
  bankingRouter,
  factionAccessRouter,
  factionBoardRouter,
  factionChatRouter,
  factionStatsRouter,
} from "./faction";

/** Failures are TRPCErrors. */
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

/** What client components call. */
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
