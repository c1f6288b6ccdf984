import type { ReactNode } from "react";
import { gameName } from "#app/_lib/settings";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { FulfilmentView } from "#server/faction/banking/show-banking";
import type { Outcome } from "#server/faction/banking/vault-request";

type Props = FulfilmentView & { done: string | undefined };

const titles: Readonly<Record<Outcome, string>> = {
  waiting: "This request is waiting",
  paid: "This request is paid",
  verified: "This request is paid",
  unverified: "This request is marked as paid",
  cancelled: "This request was cancelled",
  expired: "This request has expired",
  left: "This request has ended",
};

const forBankers: Readonly<Record<Outcome, string>> = {
  waiting: "",
  paid: "Adjutant is looking for the payment in the vault's news.",
  verified: "The vault's news shows the payment.",
  unverified:
    "The vault's news does not show the payment. Look in the news first: if the member got the money, do not pay again.",
  cancelled: "Do not pay it.",
  expired: "Do not pay it. The member can send a new request.",
  left: "Do not pay it. The member left the faction.",
};

const forRequester: Readonly<Record<Outcome, string>> = {
  ...forBankers,
  unverified: "The vault's news does not show the payment. If you did not get it, ask a banker.",
  cancelled: "You can send a new request.",
  expired: "Nobody paid it in time. You can send a new request.",
  left: "You left the faction.",
};

export function RequestOver({ request, own, mayFulfil, vaultPaymentUrl, done }: Props) {
  const { id, guid, amount, currency, requester, outcome, closedAt, closer } = request;
  return (
    <StateMessage
      notice={noticeOf(done, requester.name)}
      kicker={`Request #${id}`}
      title={titles[outcome]}
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
        {(own && !mayFulfil ? forRequester : forBankers)[outcome]}
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
        Somebody closed the request just before you. Nothing was changed.
      </Alert>
    );
  return null;
}
