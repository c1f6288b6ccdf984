import { listOwnNotices } from "#server/notices/list-own-notices";
import { readOwnNotices } from "#server/notices/read-own-notices";
import { router, userProcedure } from "#server/trpc/init";
import { showPlayer } from "#server/users/accounts/show-player";
import { listGameKeys } from "#server/users/keys/list-game-keys";

/** The user's own account. */
export const accountRouter = router({
  overview: userProcedure.query(async ({ ctx: { context, user } }) => {
    const [player, gameKeys, notices] = await Promise.all([
      showPlayer(context, user),
      listGameKeys(context, user),
      listOwnNotices(context, user),
    ]);
    return { player, gameKeys, notices };
  }),

  noticesRead: userProcedure.mutation(({ ctx }) => readOwnNotices(ctx.context, ctx.user)),
});
