import type { Currency } from "./vault-request";

/** How much a member wishes to be paid: so much (1 … 2^53−1), or all there is. */
export type Amount = number | "all";

/** Whole digits with or without thousands commas, then decimals and a suffix. */
const grammar = /^\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?([kmb])?$/i;

/** All texts that may be amounts, for the reference: `readAmount` refuses some more. */
export const amountForm = `^(?:[aA][lL][lL]|${grammar.source.slice(1, -1).replace("[kmb]", "[kmbKMB]")})$`;

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

const inRange = (value: number): number | undefined =>
  Number.isSafeInteger(value) && value >= 1 ? value : undefined;

const separated = new Intl.NumberFormat("en");

/** An amount as people read it: "$2,500,000", "1 point", "1,500 points". Below zero: "−$20". */
export function formatAmount(amount: number, currency: Currency): string {
  const sign = amount < 0 ? "−" : "";
  const figures = separated.format(Math.abs(amount));
  if (currency === "money_balance") return `${sign}$${figures}`;
  return `${sign}${figures} ${Math.abs(amount) === 1 ? "point" : "points"}`;
}

/** A member's balance and the part of it that is spoken for, in one currency. */
export interface Holdings {
  /** As the game just said; below zero for a member who owes. */
  readonly balance: number;
  /** The sum of the member's pending requests, and of what was paid out since the balance was read. */
  readonly spokenFor: number;
}

/** What can be asked for where `all` cannot, because requests are pending; null where nothing is left. */
export function restOf(asked: Amount, { balance, spokenFor }: Holdings): number | null {
  return asked === "all" && spokenFor > 0 && balance > spokenFor ? balance - spokenFor : null;
}

/** Why a balance does not cover a request, with its figures: "You asked for $5,000,000. Your balance is $1,200,000." */
export function describeShortBalance(
  asked: Amount,
  holdings: Holdings,
  currency: Currency,
): string {
  const { balance, spokenFor } = holdings;
  const rest = restOf(asked, holdings);
  const amount = asked === "all" ? "all" : formatAmount(asked, currency);
  const requested =
    spokenFor === 0 ? "" : `, of which ${formatAmount(spokenFor, currency)} is already requested`;
  const offer = rest === null ? "" : ` You can ask for the other ${formatAmount(rest, currency)}.`;
  return `You asked for ${amount}. Your balance is ${formatAmount(balance, currency)}${requested}.${offer}`;
}

/**
 * The amount that a request comes to. `all` wants a positive balance of which nothing is spoken for; a number wants to fit
 * beside what is.
 * @returns undefined where the balance does not cover it
 */
export function fits(amount: Amount, { balance, spokenFor }: Holdings): number | undefined {
  if (amount === "all") return balance > 0 && spokenFor === 0 ? balance : undefined;
  // Subtracted, not added: a sum could leave the range in which integers are exact.
  return amount <= balance - spokenFor ? amount : undefined;
}
