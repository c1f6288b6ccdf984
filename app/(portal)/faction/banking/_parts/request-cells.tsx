import { Status } from "#app/_ui/badge.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { RequestView } from "#server/faction/banking/show-banking";
import type { Outcome } from "#server/faction/banking/vault-request";

/** What was asked for, and the way to the request. */
export const RequestAmount = ({
  id,
  guid,
  amount,
  currency,
}: Pick<RequestView, "id" | "guid" | "amount" | "currency">) => (
  <>
    <span className="tabular font-medium">{formatAmount(amount, currency)}</span>{" "}
    <TextLink href={`/faction/banking/fulfill/${guid}`} className="ml-1">
      #{id}
    </TextLink>
  </>
);

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
