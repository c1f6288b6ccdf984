import type { ReactNode } from "react";
import { gameName } from "#app/_lib/settings";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import { outcomes } from "#server/faction/banking/outcome";
import type { FulfilmentView } from "#server/faction/banking/show-banking";

type Props = FulfilmentView & { done: string | undefined };

export const NextRequest = ({ next }: { next: NonNullable<FulfilmentView["next"]> }) => (
  <LinkButton href={`/faction/banking/fulfill/${next.guid}`} size="sm" variant="primary">
    Next request<span className="sr-only">: #{next.id}</span>
  </LinkButton>
);

export function RequestOver({ request, own, mayFulfil, vaultPaymentUrl, next, done }: Props) {
  const { id, guid, amount, currency, requester, outcome, closedAt, closer, reason } = request;
  return (
    <StateMessage
      notice={noticeOf(done, requester.name)}
      kicker={`Request #${id}`}
      title={outcomes[outcome].title}
      actions={
        <>
          {outcome === "unverified" && mayFulfil && (
            <>
              {vaultPaymentUrl !== null && (
                <LinkButton href={vaultPaymentUrl} size="sm">
                  Open the vault in {gameName()}
                </LinkButton>
              )}
              <Confirmation
                label="Pay again"
                confirm="I have paid it now"
                tone="plain"
                action={`/faction/banking/fulfill/${guid}/confirm`}
                fields={{ again: "yes" }}
                consequences={`Pay ${formatAmount(amount, currency)} to ${requester.name} in ${gameName()} first. Adjutant then looks for the payment in the vault's news again, and ${requester.name} gets a notice.`}
              />
            </>
          )}
          {next && <NextRequest next={next} />}
          <LinkButton href="/faction/banking" size="sm">
            Back to the vault
          </LinkButton>
        </>
      }
    >
      <p>
        {own ? "You" : `${requester.name} [${requester.playerId}]`} requested{" "}
        <span className="tabular font-medium text-ink">{formatAmount(amount, currency)}</span>.
        {closedAt && (
          <>
            {" "}
            It was closed <Time at={closedAt} />
            {closer && ` by ${closer.name}`}.
          </>
        )}{" "}
        {reason && `Reason: ${reason} `}
        {outcomes[outcome][own && !mayFulfil ? "toMember" : "toBanker"]}
      </p>
    </StateMessage>
  );
}

/** Whether the confirmation counted or came too late. */
function noticeOf(done: string | undefined, requester: string): ReactNode {
  if (done === "fulfilled")
    return (
      <Alert tone="good" live>
        Done. {requester} gets a notice.
      </Alert>
    );
  if (done === "late")
    return (
      <Alert tone="warn" title="Already closed" live>
        The request was closed just before you. Nothing was changed.
      </Alert>
    );
  return null;
}
