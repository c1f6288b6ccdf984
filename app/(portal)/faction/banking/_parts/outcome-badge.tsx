import { Status } from "#app/_ui/badge.tsx";
import type { Outcome } from "#server/faction/banking/vault-request";

const requestStates = {
  waiting: { tone: "accent", word: "Waiting" },
  paid: { tone: "accent", word: "Paid, being checked" },
  verified: { tone: "good", word: "Paid and confirmed" },
  unverified: { tone: "warn", word: "Payment not found" },
  cancelled: { tone: "neutral", word: "Cancelled" },
  expired: { tone: "neutral", word: "Expired" },
  left: { tone: "neutral", word: "Ended" },
} as const satisfies Record<Outcome, unknown>;

/** What became of a request, in the words and the colour of a table. */
export const OutcomeBadge = ({ outcome }: { outcome: Outcome }) => (
  <Status tone={requestStates[outcome].tone}>{requestStates[outcome].word}</Status>
);
