import { dayMs, hourMs, minuteMs } from "#server/platform/time";
import { createDraw, noise } from "./draw";
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

type Bonus = ListedStock["bonus"];
type StockRow = readonly [
  acronym: string,
  name: string,
  base: number,
  billions: number,
  bonus: Bonus,
];

const million = 1_000_000;
const pays = (frequency: number, requirement: number, description: string): Bonus => ({
  passive: false,
  frequency,
  requirement,
  description,
});
const grants = (requirement: number, description: string): Bonus => ({
  passive: true,
  frequency: 7,
  requirement,
  description,
});

const listings: readonly StockRow[] = [
  ["PEL", "Pelican & Daughters Bank", 1_106.04, 1.4, pays(31, 3 * million, "$50,000,000")],
  [
    "KVR",
    "Kestrel Vault Reserve",
    742.51,
    2.1,
    grants(1.5 * million, "10% bonus to bank interest"),
  ],
  ["OXB", "Oxbow Commodities", 512.3, 3.2, pays(31, 3 * million, "$25,000,000")],
  [
    "LMP",
    "Lamplight Utilities",
    388.77,
    4.4,
    grants(million, "Free street lighting in your property"),
  ],
  ["FRN", "Ferncastle Foods", 241.9, 6.3, pays(7, 500_000, "1x Picnic Hamper")],
  ["DRB", "Driftbottle Breweries", 198.15, 7.1, pays(7, 1_000_000, "6x Harbour Stout")],
  ["QLL", "Quillfeather Press", 154.66, 5.8, pays(7, 350_000, "3x Grey Almanac")],
  ["SNT", "Saint Ottoline Hospitals", 337.4, 4.9, pays(7, 500_000, "2x Field Dressing")],
  ["MOS", "Mosswork Gardens", 87.32, 9.6, pays(14, 750_000, "25x Salt Poppy")],
  ["TDP", "Tidepool Pharmaceuticals", 603.58, 2.6, pays(7, 200_000, "1x Bottled Fog")],
  ["GLW", "Glowworm Broadcasting", 121.07, 8.7, pays(31, 6 * million, "$12,000,000")],
  [
    "HLX",
    "Helix Street Laboratories",
    455.23,
    3.7,
    grants(500_000, "Drug effects last 20% longer"),
  ],
  ["BRN", "Brindle Motor Works", 276.48, 5.5, grants(900_000, "Race cars wear 30% slower")],
  [
    "CRD",
    "Cordwainer Security",
    318.96,
    4.1,
    grants(2 * million, "Guards notice burglars 15% sooner"),
  ],
  ["VSP", "Vesper Airlines", 689.12, 2.3, grants(3 * million, "Flight times shortened by 10%")],
  ["TWN", "Twin Anchors Shipping", 93.84, 11.2, pays(31, 7.5 * million, "1x Sealed Cargo Crate")],
  ["NDL", "Needle & Thimble Textiles", 66.45, 12.5, pays(7, 1_000_000, "1x Velvet Disguise")],
  ["ARC", "Arcade Lumen", 143.29, 7.4, pays(7, 1_000_000, "250 happiness")],
  ["GMN", "Gymnasium Minerva", 487.55, 3.3, grants(500_000, "5% faster training of every stat")],
  ["SPK", "Sparkplug Energy Drinks", 359.01, 4.6, pays(7, 1_500_000, "100 energy")],
  ["WHT", "Whitlock Casinos", 822.63, 1.9, pays(7, 3 * million, "100 points")],
  ["MNT", "Mint & Marrow Jewellers", 934.7, 1.2, pays(31, 100_000, "5x Tourmaline Ring")],
  ["PTR", "Peatridge Mining", 58.19, 14.8, pays(31, 5 * million, "$8,000,000")],
  // Ids have a gap, as the game's do: clients must not assume 1 … n.
  ["OWL", "Owlhouse Insurance", 411.86, 3.9, grants(2 * million, "Medical bills are refunded")],
  ["BLK", "Black Lantern Films", 79.53, 10.3, pays(31, 2 * million, "1x Unreleased Reel")],
  [
    "CLD",
    "Cloudbank Telecom",
    226.74,
    6.8,
    grants(million, "Hidden messages in your classified adverts"),
  ],
  ["STR", "Strandline Real Estate", 561.38, 2.8, pays(31, 10 * million, "A random property")],
  ["ZPH", "Zephyr Balloon Company", 34.62, 18.4, pays(7, 2 * million, "50 nerve")],
  ["EMB", "Emberglass Foundry", 109.91, 9.1, pays(14, 1_250_000, "2x Amber Flare")],
  ["JNP", "Juniper Legal Partners", 297.17, 5.2, grants(350_000, "Bail costs are reduced by half")],
  ["RVN", "Ravensgate Publishing", 47.28, 16.9, pays(31, 4 * million, "50 Points")],
  ["HRB", "Harbourmaster Pensions", 175.5, 7.9, pays(31, 15 * million, "$80,000,000")],
  ["CPR", "Copperleaf Coins", 12.84, 31.5, grants(10 * million, "Your shop pays no city tax")],
  ["YRW", "Yarrow Clinic Group", 264.09, 5.7, pays(7, 750_000, "1x Second Opinion")],
  ["INK", "Inkwell University", 383.44, 4.3, grants(million, "Courses take 10% less time")],
];

const gap = 24;

export const listedStocks: readonly ListedStock[] = listings.map(
  ([acronym, name, base, billions, bonus], index) => ({
    id: index + 1 < gap ? index + 1 : index + 2,
    acronym,
    name,
    base,
    shares: Math.round(billions * 1_000 * million),
    bonus,
  }),
);

export interface Quote {
  readonly price: number;
  readonly cap: number;
  readonly shares: number;
  readonly investors: number;
}

/** From a minute to a month: a walk of some 0.0006 a minute that does not drift. */
const octaves = Array.from({ length: 16 }, (_, index) => 2 ** index);
const walkPerRootMinute = 0.0003;

/** Delay in milliseconds between a minute's start and its published tick. */
const published = [2_000, 4_000] as const;

export type StockMarket = ReturnType<typeof createStockMarket>;

/** A price is a pure function of (seed, stock, minute) plus shocks. Minutes count from 1970. */
export function createStockMarket(seed: number) {
  const draws = octaves.map((period) => ({
    period,
    draw: createDraw(seed, `stock walk ${period}`),
  }));
  const crowdDraw = createDraw(seed, "stock investors");
  const delayDraw = createDraw(seed, "stock tick delay");
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

  /** The newest minute with a published tick. */
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
     * Applies from the next tick; published ticks stay.
     * @returns false if there is no such stock
     */
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
  const baseDraw = createDraw(seed, "item price");
  const waveDraw = createDraw(seed, "item price wave");
  const offerDraw = createDraw(seed, "points offers");
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
