import type { Context } from "#server/context";
import { isAwaited } from "./missing-stocks";
import { type Payout, readPayout, worthOf } from "./payout";
import { findItemsByName, findItemsRead, findPointsPrice, type Item } from "./prices/store";
import { type Bonus, listKnownStocks } from "./store";

/** What the holders of one stock get, and what that is worth. */
export interface Benefit extends Bonus {
  readonly stockId: number;
  /** The thing that is paid. */
  readonly item: Item | null;
  /** What one payment is worth in money; null where it has no price. */
  readonly value: number | null;
}

export interface Benefits {
  /** Pay every so many days what can be bought or sold. */
  readonly active: readonly Benefit[];
  /** Grant a perk for as long as the shares are held. */
  readonly passive: readonly Benefit[];
  /** Pay every so many days what has no price: energy, happiness, a surprise. */
  readonly nonRevenue: readonly Benefit[];
  /** Whether the prices of things and points were read yet. */
  readonly priced: boolean;
}

/** The benefits of all listed stocks by kind, each list by stock. */
export async function listBenefits(ctx: Context): Promise<Benefits> {
  const on = ctx.database.query;
  const listed = (await listKnownStocks(on)).filter((stock) => isAwaited(stock, ctx.now()));
  const offers = listed.map(({ stockId, bonus }) => ({ stockId, bonus, payout: payoutOf(bonus) }));
  const names = offers.flatMap(({ payout }) => (payout.kind === "item" ? [payout.name.toLowerCase()] : []));
  const items = await findItemsByName(on, names);
  const points = await findPointsPrice(on);

  const all = offers.map(({ stockId, bonus, payout }) => {
    const item = payout.kind === "item" ? (items.get(payout.name.toLowerCase()) ?? null) : null;
    const value = worthOf(payout, item ? item.marketPrice : payout.kind === "points" ? (points?.price ?? null) : null);
    // A thing that the game does not list is no thing: "1x random property".
    const tradable = payout.kind === "item" ? item !== null : payout.kind !== "other";
    return { benefit: { stockId, ...bonus, item, value }, tradable };
  });
  const chosen = (wanted: (one: (typeof all)[number]) => boolean) => all.filter(wanted).map(({ benefit }) => benefit);
  return {
    active: chosen(({ benefit, tradable }) => !benefit.passive && tradable),
    passive: chosen(({ benefit }) => benefit.passive),
    nonRevenue: chosen(({ benefit, tradable }) => !benefit.passive && !tradable),
    priced: points !== undefined && (await findItemsRead(on)) !== null,
  };
}

/** A perk is not paid, whatever its text looks like. */
const payoutOf = ({ passive, description }: Bonus): Payout => (passive ? { kind: "other" } : readPayout(description));
