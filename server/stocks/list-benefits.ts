import type { Context } from "#server/context";
import { findItemsByName, findItemsRead, findPointsPrice, type Item } from "./price-store";
import { isStillListed } from "./read-tick";
import { type Bonus, listKnownStocks } from "./store";

/** Days until the payments of a benefit come to what its shares cost now; null where it pays no money's worth, or has no price. */
export function payBackDays(
  { value, frequency, requirement }: Pick<Benefit, "value" | "frequency" | "requirement">,
  price: number | null,
): number | null {
  if (price === null || frequency === null || value === null || value <= 0) return null;
  return Math.ceil((price * requirement) / value) * frequency;
}

/** What a stock pays, as the text of its benefit says. */
export type Payout =
  | { readonly kind: "money"; readonly amount: number }
  | { readonly kind: "item"; readonly quantity: number; readonly name: string }
  | { readonly kind: "points"; readonly quantity: number }
  /** Energy, happiness, a surprise: nothing that has a price. */
  | { readonly kind: "other" };

const money = /^\$\s*(\d[\d,]*)$/;
const things = /^(\d[\d,]*)\s*x\s+(\S.*)$/i;
const points = /^(\d[\d,]*)\s+points?$/i;

/** Reads the text of a benefit: "$50,000,000", "2x Field Dressing", "100 Points", anything else. */
export function readPayout(description: string): Payout {
  const text = description.trim();
  const [, amount] = money.exec(text) ?? [];
  if (amount !== undefined) return exact(amount, (value) => ({ kind: "money", amount: value }));
  const [, count, name] = things.exec(text) ?? [];
  if (count !== undefined && name !== undefined)
    return exact(count, (quantity) => ({ kind: "item", quantity, name: name.trim() }));
  const [, many] = points.exec(text) ?? [];
  if (many !== undefined) return exact(many, (quantity) => ({ kind: "points", quantity }));
  return { kind: "other" };
}

/** Things that can be sold and are no items of the game's list, so that their value is not known. */
const unlisted = /^(?:\d[\d,]*\s*x|an?)\s+(?:random property|clothing cache)$/i;

/** A number that would not be exact says nothing. */
function exact(digits: string, payout: (value: number) => Payout): Payout {
  const value = Number(digits.replaceAll(",", ""));
  return Number.isSafeInteger(value) ? payout(value) : { kind: "other" };
}

/**
 * What one payment is worth in money, as a whole number.
 * @param unitPrice what one of the things paid costs; null where that is not known
 * @returns null where there is no price, or the value would not be an exact integer
 */
export function worthOf(payout: Payout, unitPrice: number | null): number | null {
  if (payout.kind === "other") return null;
  if (payout.kind === "money") return payout.amount;
  if (unitPrice === null) return null;
  const value = Math.round(unitPrice * payout.quantity);
  return Number.isSafeInteger(value) ? value : null;
}

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
  const listed = (await listKnownStocks(on)).filter((stock) => isStillListed(stock, ctx.now()));
  const offers = listed.map(({ stockId, bonus }) => ({ stockId, bonus, payout: payoutOf(bonus) }));
  const names = offers.flatMap(({ payout }) =>
    payout.kind === "item" ? [payout.name.toLowerCase()] : [],
  );
  const items = await findItemsByName(on, names);
  const points = await findPointsPrice(on);

  const all = offers.map(({ stockId, bonus, payout }) => {
    const item = payout.kind === "item" ? (items.get(payout.name.toLowerCase()) ?? null) : null;
    const value = worthOf(
      payout,
      item ? item.marketPrice : payout.kind === "points" ? (points?.price ?? null) : null,
    );
    const tradable = payout.kind === "item" ? item !== null : payout.kind !== "other";
    const isActive = tradable || unlisted.test(bonus.description.trim());
    return { benefit: { stockId, ...bonus, item, value }, isActive };
  });
  const chosen = (wanted: (one: (typeof all)[number]) => boolean) =>
    all.filter(wanted).map(({ benefit }) => benefit);
  return {
    active: chosen(({ benefit, isActive }) => !benefit.passive && isActive),
    passive: chosen(({ benefit }) => benefit.passive),
    nonRevenue: chosen(({ benefit, isActive }) => !benefit.passive && !isActive),
    priced: points !== undefined && (await findItemsRead(on)) !== null,
  };
}

/** A perk is not paid, whatever its text looks like. */
const payoutOf = ({ passive, description }: Bonus): Payout =>
  passive ? { kind: "other" } : readPayout(description);
