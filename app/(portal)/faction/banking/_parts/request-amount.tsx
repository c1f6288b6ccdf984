import { TextLink } from "#app/_ui/text-link.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { RequestView } from "#server/faction/banking/show-banking";

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
