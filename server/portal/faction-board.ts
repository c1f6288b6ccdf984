import { z } from "zod";
import {
  membersCsv,
  showBoard,
  showCrimes,
  showHits,
  showMembers,
  showWaitingRequests,
} from "#server/faction/show-board";
import { text } from "#server/platform/input-schemas";
import { router, userProcedure } from "#server/trpc/init";
import {
  changeStatSharing,
  importScores,
  showFactionScores,
} from "../faction/scores/faction-scores";

/** An unknown word filters nothing. */
const word = text(50).trim().optional().catch(undefined);
const TypedFilter = z.object({ state: word, active: word, name: word });

/** Each part is null without a faction; an open board reloads the part that changed. */
export const factionBoardRouter = router({
  show: userProcedure.query(({ ctx }) => showBoard(ctx.context, ctx.user)),

  hits: userProcedure.query(({ ctx }) => showHits(ctx.context, ctx.user)),

  crimes: userProcedure.query(({ ctx }) => showCrimes(ctx.context, ctx.user)),

  vault: userProcedure.query(({ ctx }) => showWaitingRequests(ctx.context, ctx.user)),

  members: userProcedure
    .input(TypedFilter)
    .query(({ ctx, input }) => showMembers(ctx.context, ctx.user, input)),

  membersFile: userProcedure
    .input(TypedFilter)
    .query(({ ctx, input }) => membersCsv(ctx.context, ctx.user, input)),
});

const largestImport = 250_000;

export const factionStatsRouter = router({
  own: userProcedure.query(({ ctx }) => showFactionScores(ctx.context, ctx.user)),

  share: userProcedure
    .input(z.object({ sharing: z.enum(["everybody", "faction", "off"]) }))
    .mutation(({ ctx, input }) => changeStatSharing(ctx.context, ctx.user, input)),

  import: userProcedure
    .input(z.object({ text: text(largestImport) }))
    .mutation(({ ctx, input }) => importScores(ctx.context, ctx.user, input)),
});
