import { z } from "zod";
import { UnixSeconds } from "#server/rest/shapes";

const StockId = z
  .int()
  .min(1)
  .meta({ description: "Id of a stock.", examples: [7] });

const price = (description: string, example: number) =>
  z.number().meta({ description, examples: [example] });

export const Stock = z
  .object({
    timestamp: UnixSeconds.meta({
      description: "The minute of the tick, in Unix seconds; the same for all stocks.",
    }),
    price: price("What a share costs.", 154.66),
    market_cap: z
      .int()
      .meta({ description: "What all shares cost together.", examples: [897_028_000_000] }),
    shares: z.int().meta({ description: "Shares that exist.", examples: [5_800_000_000] }),
    investors: z.int().meta({ description: "Players who hold shares.", examples: [9_633] }),
    acronym: z.string().meta({ description: "Short name.", examples: ["QLL"] }),
  })
  .meta({ id: "Stock" });

export const StockMap = z
  .record(
    z.string().meta({ title: "stock_id", description: "Id of a stock.", examples: ["7"] }),
    Stock,
  )
  .meta({ description: "Stocks by id; empty before the first tick was read." });

const BenefitItem = z.object({
  tid: z.int().meta({ description: "Id of the item in the game.", examples: [172] }),
  name: z.string().meta({ examples: ["Grey Almanac"] }),
  description: z.string().meta({ examples: ["It does once what practice does always."] }),
});

const StockBenefit = z
  .object({
    stock_id: StockId,
    benefit: z.object({
      requirement: z.int().meta({ description: "Shares that must be held.", examples: [350_000] }),
      frequency: z
        .int()
        .nullable()
        .meta({ description: "Days between two payments; null for a perk.", examples: [7] }),
      description: z
        .string()
        .meta({ description: "As the game words it.", examples: ["3x Grey Almanac"] }),
      item: BenefitItem.nullable().meta({
        description: "The item that is paid; null where it is none.",
      }),
      value: z
        .int()
        .nullable()
        .meta({
          description:
            "What one payment is worth in money at present market prices; null where it has no price or none is known.",
          examples: [1_863_000],
        }),
    }),
  })
  .meta({ id: "StockBenefit" });

const plain = (
  stockId: number,
  requirement: number,
  pays: { frequency: number | null; description: string },
) => ({
  stock_id: stockId,
  benefit: { requirement, ...pays, item: null, value: null },
});
const perk = plain(19, 500_000, {
  frequency: null,
  description: "5% faster training of every stat",
});
const energy = plain(20, 1_500_000, { frequency: 7, description: "100 energy" });

export const StockBenefits = z.object({
  active: z.array(StockBenefit).meta({ description: "Pay money, items or points." }),
  passive: z
    .array(StockBenefit)
    .meta({ description: "Grant a perk for as long as the shares are held.", examples: [[perk]] }),
  non_rev: z
    .array(StockBenefit)
    .meta({ description: "Pay what has no price, such as energy.", examples: [[energy]] }),
});

const StockMover = z
  .object({
    stock_id: StockId,
    change: z.number().meta({
      description: "The change as a fraction of the start price, with 4 decimals.",
      examples: [0.0525],
    }),
    price: price("What a share costs at the newest tick.", 154.66),
    start_price: price("What it cost when the period began.", 146.95),
  })
  .meta({ id: "StockMover" });

const periods = (examples?: readonly object[]) => {
  const list = (description: string) =>
    z.array(StockMover).meta({ description, ...(examples && { examples }) });
  return z.object({
    d1: list("Over 24 hours."),
    d7: list("Over 7 days."),
    m1: list("Over 30 days."),
  });
};
const fallen = { stock_id: 12, change: -0.0311, price: 455.23, start_price: 469.84 };

export const StockMovers = z.object({ gainers: periods(), losers: periods([[fallen]]) });
