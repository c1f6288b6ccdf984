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
import { calling, router, userProcedure } from "#server/trpc/init";
import { changeStatSharing, importScores, showFactionScores } from "../faction/scores";

/** An unknown word filters nothing. */
const word = text(50).trim().optional().catch(undefined);
const TypedFilter = z.object({ state: word, active: word, name: word });

/** Each part is null without a faction; an open board reloads the part that changed. */
export const factionBoardRouter = router({
  show: userProcedure.query(calling(showBoard)),

  hits: userProcedure.query(calling(showHits)),

  crimes: userProcedure.query(calling(showCrimes)),

  vault: userProcedure.query(calling(showWaitingRequests)),

  members: userProcedure.input(TypedFilter).query(calling(showMembers)),

  membersFile: userProcedure.input(TypedFilter).query(calling(membersCsv)),
});

const largestImport = 250_000;

export const factionStatsRouter = router({
  own: userProcedure.query(calling(showFactionScores)),

  share: userProcedure
    .input(z.object({ sharing: z.enum(["everybody", "faction", "off"]) }))
    .mutation(calling(changeStatSharing)),

  import: userProcedure
    .input(z.object({ text: text(largestImport) }))
    .mutation(calling(importScores)),
});
