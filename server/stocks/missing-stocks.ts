import { hourMs } from "#server/platform/durations";

/** A stock as far as it matters for whether an answer is whole. */
export interface KnownStock {
  readonly stockId: number;
  /** Since when answers lack it; null while they have it. */
  readonly missingSince: Date | null;
}

/** A stock that answers lack for so long is delisted; milliseconds. A fault of the game is over sooner. */
const delistedAfter = hourMs;

/** Whether a stock that answers lack still belongs to the market. */
export const isStillListed = ({ missingSince }: Pick<KnownStock, "missingSince">, now: Date): boolean =>
  missingSince === null || now.getTime() - missingSince.getTime() < delistedAfter;

/** The known stocks that an answer lacks. An answer is whole where none of them is awaited. */
export function missingStocks(known: readonly KnownStock[], seen: ReadonlySet<number>): KnownStock[] {
  return known.filter(({ stockId }) => !seen.has(stockId));
}
