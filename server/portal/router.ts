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
import { createCallerFactory, router } from "#server/trpc/procedures";
import {
  bankingRouter,
  factionAccessRouter,
  factionBoardRouter,
  factionChatRouter,
  factionStatsRouter,
} from "./faction";

/** Every failure is a TRPCError. */
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

export type RouterOutputs = inferRouterOutputs<typeof portalRouter>;

export const createCaller = createCallerFactory(portalRouter);

/** The procedures that client components call. */
export const browserRouter = router({
  confirmation: confirmationRouter,
  secondFactor: only(secondFactorRouter, ["begin", "confirm", "disable", "renewBackupCodes"]),
  factionBoard: only(factionBoardRouter, ["show", "hits", "crimes", "vault", "members"]),
  passkeys: only(passkeysRouter, ["begin", "add", "rename", "beginConfirmation"]),
  applications: only(applicationsRouter, ["names", "get", "create", "update", "createSecret"]),
  webhooks: only(webhooksRouter, ["add", "verify", "test", "rotate"]),
  demo: only(demoRouter, ["show"]),
});

function only<Procedures extends object, const Name extends keyof Procedures>(
  procedures: Procedures,
  names: readonly Name[],
): Pick<Procedures, Name> {
  return Object.fromEntries(names.map((name) => [name, procedures[name]])) as Pick<
    Procedures,
    Name
  >;
}

export type BrowserRouter = typeof browserRouter;
