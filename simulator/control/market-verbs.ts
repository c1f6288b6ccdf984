import { z } from "zod";
import { type ControlParts, id, mustExist, verb } from "./verb";

/** Twentyfold either way is more than any day brings, and keeps what is made of a price an exact integer. */
const ShockStock = z.strictObject({ stockId: id, factor: z.number().min(0.05).max(20) });

/** Verbs about the stock market. */
export function marketVerbs({ stockMarket, now }: ControlParts) {
  return {
    /** Multiplies the price of a stock from its next minute on. */
    shockStock: verb(ShockStock, ({ stockId, factor }) => {
      mustExist(stockMarket.shock(stockId, factor, now()), "The stock");
    }),
  };
}
