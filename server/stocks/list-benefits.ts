import type { Context } from "#server/context";
import type { Stock } from "#server/game/contract/torn";
import { isStillListed } from "./read-tick";
import { findItemsByName, findItemsReadAt, findPointsPrice, listKnownStocks } from "./store";

type Bonus = Stock["bonus"];

/** Days until the payments equal the price of the shares. */
export function payBackDays(
  { value, frequency, requirement }: Pick<Benefit, "frequency" | "requirement" | "value">,
  price: number | null,
): number | null {
  if (price === null || frequency === null || value === null || value <= 0) return null;
  return Math.ceil((price * requirement) / value) * frequency;
}

export type Payout =
  | { readonly kind: "money"; readonly amount: number }
  | { readonly kind: "item"; readonly quantity: number; readonly name: string }
  | { readonly kind: "points"; readonly quantity: number }
  /** Energy, happiness or a surprise, which have no price. */
  | { readonly kind: "other" };

const money = /^\$\s*(\d[\d,]*)$/;
const things = /^(\d[\d,]*)\s*x\s+(\S.*)$/i;
const points = /^(\d[\d,]*)\s+points?$/i;

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

/** These can be sold, but are not in the game's item list, so their value is unknown. */
const unlisted = /^(?:\d[\d,]*\s*x|an?)\s+(?:random property|clothing cache)$/i;

/** A number beyond the safe integers counts as no value. */
function exact(digits: string, payout: (value: number) => Payout): Payout {
  const value = Number(digits.replaceAll(",", ""));
  return Number.isSafeInteger(value) ? payout(value) : { kind: "other" };
}

/**
 * @returns the value of one payment in whole money; null without a price or beyond the safe
 * integers
 */
export function worthOf(payout: Payout, unitPrice: number | null): number | null {
  if (payout.kind === "other") return null;
  if (payout.kind === "money") return payout.amount;
  if (unitPrice === null) return null;
  const value = Math.round(unitPrice * payout.quantity);
  return Number.isSafeInteger(value) ? value : null;
}

export type Benefit = Awaited<ReturnType<typeof listBenefits>>["benefits"][number];

export async function listBenefits(ctx: Context) {
  const on = ctx.database.query;
  const listed = (await listKnownStocks(on)).filter((stock) => isStillListed(stock, ctx.now()));
  const offers = listed.map((stock) => ({ ...stock, payout: payoutOf(stock.bonus) }));
  const names = offers.flatMap(({ payout }) =>
    payout.kind === "item" ? [payout.name.toLowerCase()] : [],
  );
  const items = await findItemsByName(on, names);
  const points = await findPointsPrice(on);
  const benefits = offers.map(({ stockId, bonus, payout }) => {
    const item = payout.kind === "item" ? (items.get(payout.name.toLowerCase()) ?? null) : null;
    const value = worthOf(
      payout,
      item ? item.marketPrice : payout.kind === "points" ? (points?.price ?? null) : null,
    );
    const isTradable = payout.kind === "item" ? item !== null : payout.kind !== "other";
    const isActive = isTradable || unlisted.test(bonus.description.trim());
    const kind: BenefitKind = bonus.passive ? "passive" : isActive ? "active" : "non-revenue";
    return { stockId, ...bonus, item, value, kind };
  });
  return { benefits, priced: points !== undefined && (await findItemsReadAt(on)) !== null };
}

/** A "non-revenue" benefit pays what has no price, such as energy. */
export type BenefitKind = "active" | "passive" | "non-revenue";

/** A passive benefit pays nothing, even if its text names a payment. */
const payoutOf = ({ passive, description }: Bonus): Payout =>
  passive ? { kind: "other" } : readPayout(description);
