import { z } from "zod";
import { showStock, showStocks } from "#server/stocks/show-stocks";
import { router, userProcedure } from "#server/trpc/init";

/** The stock market, as the API has it. */
export const stocksRouter = router({
  list: userProcedure.query(({ ctx }) => showStocks(ctx.context)),

  /** Null where there is none of that short name. */
  show: userProcedure
    .input(z.object({ acronym: z.string().max(10) }))
    .query(({ ctx, input }) => showStock(ctx.context, input.acronym)),
});
