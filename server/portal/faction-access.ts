import { z } from "zod";
import {
  decideAccess,
  limitAccess,
  nameDeciders,
} from "#server/oauth/faction-access/decide-access";
import { showAccess, showAccessOf } from "#server/oauth/faction-access/show-access";
import { boundedList } from "#server/platform/bounded-list";
import { text } from "#server/platform/input-schemas";
import { calling, router, userProcedure } from "#server/trpc/init";

export const factionAccessRouter = router({
  /** Null without a faction. */
  show: userProcedure.query(calling(showAccess)),

  application: userProcedure.input(z.object({ clientId: text(100) })).query(calling(showAccessOf)),

  decide: userProcedure
    .input(
      z.object({
        clientIds: boundedList(text(100), { most: 1_000 }).refine(({ length }) => length > 0),
        blocked: z.boolean(),
      }),
    )
    .mutation(calling(decideAccess)),

  limit: userProcedure.input(z.object({ onlyChosen: z.boolean() })).mutation(calling(limitAccess)),

  nameDeciders: userProcedure
    .input(z.object({ positions: boundedList(text(100), { most: 100 }) }))
    .mutation(calling(nameDeciders)),
});
