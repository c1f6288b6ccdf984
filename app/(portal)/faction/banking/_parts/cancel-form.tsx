import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { RequestView } from "#server/faction/banking/show-banking";

type Props = {
  factionId: number;
  request: RequestView;
  /** Whether the user made it. */
  own: boolean;
  /** Carried along, so that a balance that is shown stays in sight. */
  balance?: "show" | undefined;
};

/** Cancels a request: one's own at once, for it can be sent again; somebody else's after a question. */
export function CancelForm({ factionId, request, own, balance }: Props) {
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
        consequences={`${requester.name} requested ${formatAmount(amount, currency)}, and is told that you cancelled it.`}
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
