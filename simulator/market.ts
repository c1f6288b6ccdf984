import { dayMs, hourMs, minuteMs } from "#server/platform/time";
import { createRandom, noise } from "./draw";
import { type ListedItem, listedItems } from "./item-list";

export interface ListedStock {
  readonly id: number;
  readonly acronym: string;
  readonly name: string;
  /** Mean price. */
  readonly base: number;
  readonly shares: number;
  /** Benefit of a block of shares: passive, or every so many days. */
  readonly bonus: { passive: boolean; frequency: number; requirement: number; description: string };
}

type StockRow = readonly [
  acronym: string,
  name: string,
  base: number,
  billions: number,
  /** Days between payments; null for a passive benefit. */
  frequency: number | null,
  millionsRequired: number,
  description: string,
];

const listings: readonly StockRow[] = [
  ["PEL", "Pelican & Daughters Bank", 1_106.04, 1.4, 31, 3, "$50,000,000"],
  ["KVR", "Kestrel Vault Reserve", 742.51, 2.1, null, 1.5, "10% bonus to bank interest"],
  ["OXB", "Oxbow Commodities", 512.3, 3.2, 31, 3, "$25,000,000"],
  ["LMP", "Lamplight Utilities", 388.77, 4.4, null, 1, "Free street lighting in your property"],
  ["FRN", "Ferncastle Foods", 241.9, 6.3, 7, 0.5, "1x Picnic Hamper"],
  ["DRB", "Driftbottle Breweries", 198.15, 7.1, 7, 1, "6x Harbour Stout"],
  ["QLL", "Quillfeather Press", 154.66, 5.8, 7, 0.35, "3x Grey Almanac"],
  ["SNT", "Saint Ottoline Hospitals", 337.4, 4.9, 7, 0.5, "2x Field Dressing"],
  ["MOS", "Mosswork Gardens", 87.32, 9.6, 14, 0.75, "25x Salt Poppy"],
  ["TDP", "Tidepool Pharmaceuticals", 603.58, 2.6, 7, 0.2, "1x Bottled Fog"],
  ["GLW", "Glowworm Broadcasting", 121.07, 8.7, 31, 6, "$12,000,000"],
  ["HLX", "Helix Street Laboratories", 455.23, 3.7, null, 0.5, "Drug effects last 20% longer"],
  ["BRN", "Brindle Motor Works", 276.48, 5.5, null, 0.9, "Race cars wear 30% slower"],
  ["CRD", "Cordwainer Security", 318.96, 4.1, null, 2, "Guards notice burglars 15% sooner"],
  ["VSP", "Vesper Airlines", 689.12, 2.3, null, 3, "Flight times shortened by 10%"],
  ["TWN", "Twin Anchors Shipping", 93.84, 11.2, 31, 7.5, "1x Sealed Cargo Crate"],
  ["NDL", "Needle & Thimble Textiles", 66.45, 12.5, 7, 1, "1x Velvet Disguise"],
  ["ARC", "Arcade Lumen", 143.29, 7.4, 7, 1, "250 happiness"],
  ["GMN", "Gymnasium Minerva", 487.55, 3.3, null, 0.5, "5% faster training of every stat"],
  ["SPK", "Sparkplug Energy Drinks", 359.01, 4.6, 7, 1.5, "100 energy"],
  ["WHT", "Whitlock Casinos", 822.63, 1.9, 7, 3, "100 points"],
  ["MNT", "Mint & Marrow Jewellers", 934.7, 1.2, 31, 0.1, "5x Tourmaline Ring"],
  ["PTR", "Peatridge Mining", 58.19, 14.8, 31, 5, "$8,000,000"],
  // Ids have a gap, as the game's do: clients must not assume 1 … n.
  ["OWL", "Owlhouse Insurance", 411.86, 3.9, null, 2, "Medical bills are refunded"],
  ["BLK", "Black Lantern Films", 79.53, 10.3, 31, 2, "1x Unreleased Reel"],
  ["CLD", "Cloudbank Telecom", 226.74, 6.8, null, 1, "Hidden messages in your classified adverts"],
  ["STR", "Strandline Real Estate", 561.38, 2.8, 31, 10, "A random property"],
  ["ZPH", "Zephyr Balloon Company", 34.62, 18.4, 7, 2, "50 nerve"],
  ["EMB", "Emberglass Foundry", 109.91, 9.1, 14, 1.25, "2x Amber Flare"],
  ["JNP", "Juniper Legal Partners", 297.17, 5.2, null, 0.35, "Bail costs are reduced by half"],
  ["RVN", "Ravensgate Publishing", 47.28, 16.9, 31, 4, "50 Points"],
  ["HRB", "Harbourmaster Pensions", 175.5, 7.9, 31, 15, "$80,000,000"],
  ["CPR", "Copperleaf Coins", 12.84, 31.5, null, 10, "Your shop pays no city tax"],
  ["YRW", "Yarrow Clinic Group", 264.09, 5.7, 7, 0.75, "1x Second Opinion"],
  ["INK", "Inkwell University", 383.44, 4.3, null, 1, "Courses take 10% less time"],
];

const gap = 24;

export const listedStocks: readonly ListedStock[] = listings.map(
  ([acronym, name, base, billions, frequency, millionsRequired, description], index) => ({
    id: index + 1 < gap ? index + 1 : index + 2,
    acronym,
    name,
    base,
    shares: Math.round(billions * 1e9),
    bonus: {
      passive: frequency === null,
      // The game says 7 for a passive benefit.
      frequency: frequency ?? 7,
      requirement: Math.round(millionsRequired * 1e6),
      description,
    },
  }),
);

export interface Quote {
  readonly price: number;
  readonly cap: number;
  readonly shares: number;
  readonly investors: number;
}

/** Minutes, up to three weeks: together a walk of some 0.0006 a minute that does not drift. */
const octaves = Array.from({ length: 16 }, (_, index) => 2 ** index);
const walkPerRootMinute = 0.0003;

/** Delay in milliseconds between a minute's start and its published tick. */
const published = [2_000, 4_000] as const;

/** A price is a pure function of (seed, stock, minute) plus shocks. Minutes count from 1970. */
export function createStockMarket(seed: number) {
  const draws = octaves.map((period) => ({
    period,
    draw: createRandom(seed, `stock walk ${period}`),
  }));
  const crowdDraw = createRandom(seed, "stock investors");
  const delayDraw = createRandom(seed, "stock tick delay");
  const shocks = new Map<number, { minute: number; logFactor: number }[]>();
  const byId = new Map(listedStocks.map((stock) => [stock.id, stock]));

  function logPrice({ id, base }: ListedStock, minute: number): number {
    let log = Math.log(base);
    for (const { period, draw } of draws)
      log += walkPerRootMinute * Math.sqrt(period) * noise(draw, id, { time: minute, period });
    for (const shock of shocks.get(id) ?? []) if (shock.minute <= minute) log += shock.logFactor;
    return log;
  }

  const price = (stock: ListedStock, minute: number) =>
    Math.max(0.01, Math.round(Math.exp(logPrice(stock, minute)) * 100) / 100);

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
    /** From the next tick on. @returns false if there is no such stock */
    shock: (id: number, factor: number, now: Date): boolean => {
      if (!byId.has(id)) return false;
      const entry = { minute: visibleMinute(now) + 1, logFactor: Math.log(factor) };
      shocks.set(id, [...(shocks.get(id) ?? []), entry]);
      return true;
    },
  };
}

const pointBase = 44_500;

/** Prices are pure functions of (seed, item, hour). */
export function createPrices(seed: number) {
  const baseDraw = createRandom(seed, "item price");
  const waveDraw = createRandom(seed, "item price wave");
  const offerDraw = createRandom(seed, "points offers");
  const wave = (entity: number, now: Date) =>
    0.06 *
    noise(waveDraw, entity, {
      time: Math.floor(now.getTime() / hourMs) * hourMs,
      period: 5 * dayMs,
    });

  return {
    items: listedItems,
    marketPrice: ({ id, worth }: ListedItem, now: Date): number | null => {
      if (!worth) return null;
      const [low, high] = worth;
      return Math.round(low * (high / low) ** baseDraw.unit(id) * (1 + wave(id, now)));
    },
    pointOffers: (now: Date) => {
      const lowest = Math.round(pointBase * (1 + wave(0, now)));
      return Array.from({ length: 10 }, (_, index) => {
        const hour = Math.floor(now.getTime() / hourMs);
        const cost = lowest + index * 25;
        const quantity = offerDraw.between(index, hour, [1, 500]);
        return { id: 900_000 + (offerDraw.bits(index, hour) % 100_000), cost, quantity };
      });
    },
  };
}
