export const moverPeriods = ["d1", "d7", "m1"] as const;
type MoverPeriod = (typeof moverPeriods)[number];

export interface PriceSpan {
  readonly stockId: number;
  readonly price: number;
  readonly starts: Readonly<Record<MoverPeriod, number | null>>;
}

export interface Mover {
  readonly stockId: number;
  /** A fraction of the start price, with 4 decimals. */
  readonly change: number;
  readonly price: number;
  readonly startPrice: number;
}

export type Ranking = Readonly<Record<MoverPeriod, readonly Mover[]>>;

const shown = 5;

/** A fraction of the start price, with 4 decimals. */
export function changeOf(start: number | null, price: number): number | null {
  if (start === null || !(start > 0)) return null;
  return Math.round(((price - start) / start) * 10_000) / 10_000;
}

/** Unchanged stocks are in neither list. */
export function rankMovers(spans: readonly PriceSpan[]): { gainers: Ranking; losers: Ranking } {
  return { gainers: ranking(spans, 1), losers: ranking(spans, -1) };
}

function ranking(spans: readonly PriceSpan[], direction: 1 | -1): Ranking {
  const best = (period: MoverPeriod) =>
    spans
      .flatMap((span) => moverOf(span, period))
      .filter(({ change }) => change * direction > 0)
      .sort((a, b) => (b.change - a.change) * direction || a.stockId - b.stockId)
      .slice(0, shown);
  return { d1: best("d1"), d7: best("d7"), m1: best("m1") };
}

function moverOf({ stockId, price, starts }: PriceSpan, period: MoverPeriod): Mover[] {
  const startPrice = starts[period];
  const change = changeOf(startPrice, price);
  return startPrice === null || change === null ? [] : [{ stockId, change, price, startPrice }];
}
