import type { Currency } from "./vault-request";

const separated = new Intl.NumberFormat("en");

/** An amount as people read it: "$2,500,000", "1 point", "1,500 points". Below zero: "−$20". */
export function amountInWords(amount: number, currency: Currency): string {
  const sign = amount < 0 ? "−" : "";
  const figures = separated.format(Math.abs(amount));
  if (currency === "money_balance") return `${sign}$${figures}`;
  return `${sign}${figures} ${Math.abs(amount) === 1 ? "point" : "points"}`;
}
