import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Field, Input } from "#app/_ui/field.tsx";
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
};

/** One's own at once, as it can be repeated; another player's after a confirmation. */
export function CancelForm({ factionId, request, own }: CancelFormProps) {
  const { id, requester, amount, currency } = request;
  const action = "/faction/banking/cancel";
  const fields = { faction: String(factionId), request: String(id) };
  if (!own)
    return (
      <Confirmation
        label="Cancel"
        what={`request #${id}`}
        confirm="Cancel the request"
        action={action}
        fields={fields}
        consequences={`${requester.name} requested ${formatAmount(amount, currency)}, and gets a notice that you cancelled it.`}
      >
        <Field name="reason" id={`reason-${id}`} label="Reason" required={false}>
          {(control) => <Input {...control} maxLength={200} />}
        </Field>
      </Confirmation>
    );
  return (
    <CsrfForm action={action} fields={fields}>
      <Button type="submit" size="sm" aria-label={`Cancel request #${id}`}>
        Cancel
      </Button>
    </CsrfForm>
  );
}

/** Of the claim that ends first; undefined without one. */
export function claimEndsIn(requests: readonly Pick<RequestView, "claim">[]): number | undefined {
  const ends = requests.flatMap(({ claim }) => (claim ? [claim.until.getTime()] : []));
  return ends.length === 0 ? undefined : Math.max(1_000, Math.min(...ends) - Date.now());
}
