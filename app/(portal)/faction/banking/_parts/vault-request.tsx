import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import { type Outcome, outcomes } from "#server/faction/banking/outcome";
import type { RequestView } from "#server/faction/banking/show-banking";

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

export const OutcomeBadge = ({ outcome }: { outcome: Outcome }) => (
  <Status tone={outcomes[outcome].tone}>{outcomes[outcome].word}</Status>
);

type CancelFormProps = {
  factionId: number;
  request: RequestView;
  own: boolean;
  /** Passed on, so that a shown balance stays visible. */
  balance?: "show" | undefined;
};

/** One's own at once, as it can be repeated; another player's after a confirmation. */
export function CancelForm({ factionId, request, own, balance }: CancelFormProps) {
  const { id, requester, amount, currency } = request;
  const action = "/faction/banking/cancel";
  const fields = { faction: String(factionId), request: String(id), balance };
  if (!own)
    return (
      <Confirmation
        label="Cancel"
        what={`request #${id}`}
        confirm="Cancel the request"
        action={action}
        fields={fields}
        consequences={`${requester.name} requested ${formatAmount(amount, currency)}, and gets a notice that you cancelled it.`}
      />
    );
  return (
    <CsrfForm action={action} fields={fields}>
      <Button type="submit" size="sm" aria-label={`Cancel request #${id}`}>
        Cancel
      </Button>
    </CsrfForm>
  );
}
