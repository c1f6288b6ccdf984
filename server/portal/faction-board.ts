import { z } from "zod";
import { showBoard } from "#server/faction/board/show-board";
import { showMembers } from "#server/faction/board/show-members";
import { router, userProcedure } from "#server/trpc/init";

/** What an address carries; a word in it that the filter does not know filters nothing. */
const word = z.string().trim().max(50).optional().catch(undefined);
const TypedFilter = z.object({ state: word, active: word, name: word });

/** What waits in the user's own faction. Both are asked for again and again while the page is open. */
export const factionBoardRouter = router({
  /** Null without a faction. */
  show: userProcedure.query(({ ctx }) => showBoard(ctx.context, ctx.user)),

  members: userProcedure.input(TypedFilter).query(({ ctx, input }) => showMembers(ctx.context, ctx.user, input)),
});
