import type { Outcome } from "#server/faction/banking/vault-request";

/** What became of a request, in the words and the colour of a table. */
export const requestStates = {
  waiting: { tone: "accent", word: "Waiting" },
  paid: { tone: "good", word: "Paid" },
  verified: { tone: "good", word: "Paid and confirmed" },
  unverified: { tone: "warn", word: "Payment not found" },
  cancelled: { tone: "neutral", word: "Cancelled" },
  expired: { tone: "neutral", word: "Expired" },
  left: { tone: "neutral", word: "Ended" },
} as const satisfies Record<Outcome, unknown>;
