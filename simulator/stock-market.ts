import { minuteMs } from "#server/platform/durations";
import { createDraw, noise } from "./draw";
import { type ListedStock, listedStocks } from "./stock-list";

/** A stock in one minute. */
export interface Quote {
  readonly price: number;
  readonly cap: number;
  readonly shares: number;
  readonly investors: number;
}

const dayMinutes = 1_440;

/** Octaves of a minute up to a day and a half: together a walk of some 0.0006 a minute that does not wander off. */
const octaves = Array.from({ length: 12 }, (_, index) => 2 ** index);
const walkPerRootMinute = 0.0003;

/** What the price is pulled to: three curves of days to weeks. */
const trends = [
  { days: 3, size: 0.02 },
  { days: 8, size: 0.03 },
  { days: 23, size: 0.05 },
];

/** On one day of twenty a stock jumps by 3 to 8 %, which two days then take back. */
const jumpChance = 0.05;
const jumpFades = 2 * dayMinutes;

/** The minute's tick is published a little after the minute began: some milliseconds between these. */
const published = [2_000, 4_000] as const;

export type StockMarket = ReturnType<typeof createStockMarket>;

/**
 * The stock market of the simulated game. A price is a function of (seed, stock, minute), found at once for any minute of the
 * past, on top of it what `shock` did. Minutes are counted from 1970.
 */
export function createStockMarket(seed: number) {
  const draws = octaves.map((period) => ({ period, draw: createDraw(seed, `stock walk ${period}`) }));
  const slow = trends.map((trend) => ({ ...trend, draw: createDraw(seed, `stock trend ${trend.days}`) }));
  const jumpDraw = createDraw(seed, "stock jump");
  const crowdDraw = createDraw(seed, "stock investors");
  const delayDraw = createDraw(seed, "stock tick delay");
  const shocks = new Map<number, { minute: number; logFactor: number }[]>();
  const byId = new Map(listedStocks.map((stock) => [stock.id, stock]));

  /** The jump of one day as it stands at a minute. */
  function jump(id: number, day: number, minute: number): number {
    if (jumpDraw.unit(id, 3 * day) >= jumpChance) return 0;
    const age = minute - (day * dayMinutes + jumpDraw.between(id, 3 * day + 1, [0, dayMinutes - 1]));
    if (age < 0 || age >= jumpFades) return 0;
    const swing = 2 * jumpDraw.unit(id, 3 * day + 2) - 1;
    return Math.sign(swing) * (0.03 + 0.05 * Math.abs(swing)) * (1 - age / jumpFades);
  }

  function logPrice({ id, base }: ListedStock, minute: number): number {
    let log = Math.log(base);
    for (const { period, draw } of draws)
      log += walkPerRootMinute * Math.sqrt(period) * noise(draw, id, { time: minute, period });
    for (const { days, size, draw } of slow) log += size * noise(draw, id, { time: minute, period: days * dayMinutes });
    const today = Math.floor(minute / dayMinutes);
    for (let back = 0; back <= 2; back++) log += jump(id, today - back, minute);
    for (const shock of shocks.get(id) ?? []) if (shock.minute <= minute) log += shock.logFactor;
    return log;
  }

  const price = (stock: ListedStock, minute: number) =>
    Math.max(0.01, Math.round(Math.exp(logPrice(stock, minute)) * 100) / 100);

  /** The newest minute whose tick is published. */
  function visibleMinute(now: Date): number {
    const minute = Math.floor(now.getTime() / minuteMs);
    const [soonest, latest] = published;
    const shown = minute * minuteMs + soonest + delayDraw.unit(minute) * (latest - soonest);
    return now.getTime() < shown ? minute - 1 : minute;
  }

  return {
    stocks: listedStocks,
    find: (id: number): ListedStock | null => byId.get(id) ?? null,
    visibleMinute,
    price,
    quote: (stock: ListedStock, minute: number): Quote => {
      const paid = price(stock, minute);
      const crowd = 1 + 0.08 * noise(crowdDraw, stock.id, { time: minute, period: 700 });
      const investors = Math.round(Math.sqrt(stock.shares / 1_000) * 4 * crowd);
      return { price: paid, cap: Math.round(paid * stock.shares), shares: stock.shares, investors };
    },
    /**
     * Multiplies the price of a stock from its next tick on; ticks that were seen stay.
     * @returns false where there is no such stock
     */
    shock: (id: number, factor: number, now: Date): boolean => {
      if (!byId.has(id)) return false;
      const entry = { minute: visibleMinute(now) + 1, logFactor: Math.log(factor) };
      shocks.set(id, [...(shocks.get(id) ?? []), entry]);
      return true;
    },
  };
}
