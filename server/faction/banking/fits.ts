import type { Amount } from "./amount";

/** What a member has, and what is spoken for, in one currency. */
export interface Holdings {
  /** As the game just said; below zero for a member who owes. */
  readonly balance: number;
  /** The sum of the member's pending requests, and of what was paid out since the balance was read. */
  readonly spokenFor: number;
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
