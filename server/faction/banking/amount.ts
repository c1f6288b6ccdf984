/** How much a member wishes to be paid: so much (1 … 2^53−1), or all there is. */
export type Amount = number | "all";

/** Whole digits with or without thousands commas, then decimals and a suffix. */
const grammar = /^\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?([kmb])?$/i;

/** How many zeros a suffix stands for. */
const zerosOf: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 };

/** As many digits as 2^53−1 has. */
const mostDigits = 16;

/**
 * Reads an amount as members type it: `all`, `250000`, `$2,500,000`, `1.5m`, `100k`. Decimals stand before a suffix alone, and
 * only where the result is whole. Nothing is rounded.
 * @returns undefined for what is no such amount
 */
export function readAmount(typed: unknown): Amount | undefined {
  if (typeof typed === "number") return inRange(typed);
  if (typeof typed !== "string") return undefined;
  if (/^all$/i.test(typed)) return "all";
  const [, whole = "", decimals = "", suffix] = grammar.exec(typed) ?? [];
  if (whole === "" || (decimals !== "" && suffix === undefined)) return undefined;
  const zeros = zerosOf[suffix?.toLowerCase() ?? ""] ?? 0;
  // Compared from the front: a pattern for zeros at the end would walk a long text again from each of its zeros.
  if (/[1-9]/.test(decimals.slice(zeros))) return undefined;
  const fraction = decimals.slice(0, zeros);
  // Joined as digits, not multiplied: a product of fractions would round.
  const digits = `${whole.replaceAll(",", "")}${fraction.padEnd(zeros, "0")}`.replace(/^0+/, "");
  return digits.length > mostDigits ? undefined : inRange(Number(digits));
}

const inRange = (value: number): number | undefined => (Number.isSafeInteger(value) && value >= 1 ? value : undefined);
