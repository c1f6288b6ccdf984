import type { vaultRequests } from "#db/schema/faction";
import { hourSeconds, secondMs } from "#server/platform/time";

export const currencies = ["money_balance", "points_balance"] as const;
export type Currency = (typeof currencies)[number];

/** `id` is the API's `wid`. */
export type VaultRequest = Omit<typeof vaultRequests.$inferSelect, "newsId">;

/** Shows an expired request as cancelled, even before the job closes it. */
export function requestAsOf(request: VaultRequest, now: Date): VaultRequest {
  const { status, expiresAt } = request;
  if (status !== "pending" || expiresAt === null || expiresAt > now) return request;
  return { ...request, status: "cancelled", closedAt: expiresAt, closedBy: null };
}

export const activeClaimOf = (request: VaultRequest, now: Date) => {
  const { status, claimedBy, claimedUntil } = request;
  return status === "pending" && claimedBy !== null && claimedUntil !== null && claimedUntil > now
    ? { by: claimedBy, until: claimedUntil }
    : null;
};

/** Offered in the portal and in the chat. With `seconds` null the request does not expire. */
export const waitingTimes = [
  { value: "15m", words: "15 minutes", seconds: 900 },
  { value: "30m", words: "30 minutes", seconds: 1_800 },
  { value: "1h", words: "1 hour", seconds: hourSeconds },
  { value: "2h", words: "2 hours", seconds: 7_200 },
  { value: "4h", words: "4 hours", seconds: 14_400 },
  { value: "8h", words: "8 hours", seconds: 28_800 },
  { value: "none", words: "No limit", seconds: null },
] as const;

export type WaitingTime = (typeof waitingTimes)[number]["value"];

export const usualWaitingTime: WaitingTime = "1h";

export function expiryOf(value: WaitingTime, now: Date): Date | null {
  const seconds = waitingTimes.find((choice) => choice.value === value)?.seconds ?? null;
  return seconds === null ? null : new Date(now.getTime() + seconds * secondMs);
}

export type Amount = number | "all";

/** Digits with or without thousands commas, then decimals and a suffix. */
const grammar = /^\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?([kmb])?$/i;

/** For the API reference only: `readAmount` refuses some texts that match this pattern. */
export const amountPattern = `^(?:[aA][lL][lL]|${grammar.source.slice(1, -1).replace("[kmb]", "[kmbKMB]")})$`;

const zerosOf: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 };

const mostDigits = 16;

/**
 * Reads `all`, `250000`, `$2,500,000`, `1.5m` or `100k`. Decimals need a suffix and must give a
 * whole amount; nothing is rounded.
 */
export function readAmount(typed: unknown): Amount | undefined {
  if (typeof typed === "number") return inRange(typed);
  if (typeof typed !== "string") return undefined;
  if (/^all$/i.test(typed)) return "all";
  const [, whole = "", decimals = "", suffix] = grammar.exec(typed) ?? [];
  if (whole === "" || (decimals !== "" && suffix === undefined)) return undefined;
  const zeros = zerosOf[suffix?.toLowerCase() ?? ""] ?? 0;
  // A pattern for trailing zeros would take quadratic time on a long text.
  if (/[1-9]/.test(decimals.slice(zeros))) return undefined;
  const fraction = decimals.slice(0, zeros);
  // Digits are joined, because multiplying fractions would round.
  const digits = `${whole.replaceAll(",", "")}${fraction.padEnd(zeros, "0")}`.replace(/^0+/, "");
  return digits.length > mostDigits ? undefined : inRange(Number(digits));
}

const inRange = (value: number): number | undefined =>
  Number.isSafeInteger(value) && value >= 1 ? value : undefined;

const separated = new Intl.NumberFormat("en");

/** "$2,500,000", "1 point", "1,500 points", and "−$20" below zero. */
export function formatAmount(amount: number, currency: Currency): string {
  const sign = amount < 0 ? "−" : "";
  const figures = separated.format(Math.abs(amount));
  if (currency === "money_balance") return `${sign}$${figures}`;
  return `${sign}${figures} ${Math.abs(amount) === 1 ? "point" : "points"}`;
}

export interface BalanceWithReserved {
  /** Negative for a member with debts. */
  readonly balance: number;
  /** Pending requests plus payments since the balance was read. */
  readonly spokenFor: number;
}

/** The amount to suggest if only pending requests rule out `all`; null otherwise. */
export function remainingBalance(
  asked: Amount,
  { balance, spokenFor }: BalanceWithReserved,
): number | null {
  return asked === "all" && spokenFor > 0 && balance > spokenFor ? balance - spokenFor : null;
}

/** "Not enough: $1,200,000 available, $300,000 already requested." */
export function describeShortBalance(
  asked: Amount,
  holdings: BalanceWithReserved,
  currency: Currency,
): string {
  const { balance, spokenFor } = holdings;
  const requested =
    spokenFor === 0 ? "" : `, ${formatAmount(spokenFor, currency)} already requested`;
  const rest = remainingBalance(asked, holdings);
  const offer = rest === null ? "" : ` Ask for ${formatAmount(rest, currency)} instead of all.`;
  return `Not enough: ${formatAmount(balance - spokenFor, currency)} available${requested}.${offer}`;
}

/**
 * Undefined if the balance does not cover the amount. `all` is refused while anything is reserved.
 */
export function resolveAmount(
  amount: Amount,
  { balance, spokenFor }: BalanceWithReserved,
): number | undefined {
  if (amount === "all") return balance > 0 && spokenFor === 0 ? balance : undefined;
  // Subtraction stays within the safe integers; a sum might not.
  return amount <= balance - spokenFor ? amount : undefined;
}
