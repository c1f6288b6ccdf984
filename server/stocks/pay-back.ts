import type { Benefit } from "./list-benefits";

/** Days until the payments of a benefit come to what its shares cost now; null where it pays no money's worth, or has no price. */
export function payBackDays(
  { value, frequency, requirement }: Pick<Benefit, "value" | "frequency" | "requirement">,
  price: number | null,
): number | null {
  if (price === null || frequency === null || value === null || value <= 0) return null;
  return Math.ceil((price * requirement) / value) * frequency;
}
