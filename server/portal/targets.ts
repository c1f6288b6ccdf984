import { TooManyRequests } from "#server/failures";
import { generateChainList } from "#server/stats/chain-list/generate-chain-list";
import { ChainListRequest, chainListQuery } from "#server/stats/contract";
import { router, userProcedure } from "#server/trpc/init";

/** Lists a minute of one account, which are as heavy as the API's five. A page is also loaded to come back to it. */
const listsAMinute = 15;

/** Targets for the user's chain. */
export const targetsRouter = router({
  /** Takes the words of the API's body. */
  find: userProcedure.input(ChainListRequest).query(async ({ ctx: { context, user }, input }) => {
    const take = { policy: "chain-list-page", subject: user.accountId, limit: listsAMinute };
    const { allowed, reset } = await context.limiter.take(take);
    if (!allowed) throw TooManyRequests.because({ retryAfter: reset });
    const actor = { playerId: user.playerId };
    return generateChainList(context, { actor, player: undefined }, chainListQuery(input));
  }),
});
