import {
  nameDomain,
  proveDomain,
  removeDomain,
} from "#server/oauth/clients/verification/domain-acts";
import {
  requestVerification,
  showVerification,
  withdrawRequest,
} from "#server/oauth/clients/verification/verification-requests";
import { text } from "#server/platform/input-schemas";
import { calling, router, userProcedure } from "#server/trpc/init";
import { OneApplication } from "./application-views";

/** Longer than any domain, so that the verb can say why. */
const longestTyped = 1_000;

/** A foreign application looks unknown. */
export const verificationRouter = router({
  show: userProcedure.input(OneApplication).query(calling(showVerification)),

  nameDomain: userProcedure
    .input(OneApplication.extend({ domain: text(longestTyped) }))
    .mutation(calling(nameDomain)),

  prove: userProcedure.input(OneApplication).mutation(calling(proveDomain)),

  removeDomain: userProcedure.input(OneApplication).mutation(calling(removeDomain)),

  request: userProcedure.input(OneApplication).mutation(calling(requestVerification)),

  withdraw: userProcedure.input(OneApplication).mutation(calling(withdrawRequest)),
});
