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
