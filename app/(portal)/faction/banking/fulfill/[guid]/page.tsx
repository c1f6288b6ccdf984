import type { Metadata } from "next";
import { cache, type ReactNode } from "react";
import { orNotFound } from "#app/_lib/caller";
import { playerCaller, requireUser } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { RefreshOnVaultChange } from "#app/(portal)/faction/_parts/faction-changes";
import { CancelForm } from "#app/(portal)/faction/banking/_parts/request-tables.tsx";
import { outcomeWords, type RequestView } from "#server/faction/banking/describe-request";
import type { FulfilmentView } from "#server/faction/banking/show-banking";
import { formatAmount } from "#server/faction/banking/vault-request";

const readRequest = cache(async (guid: string) =>
  orNotFound((await playerCaller()).banking.fulfilment({ guid })),
);

export async function generateMetadata({ params }: PageProps<"guid">): Promise<Metadata> {
  const { request, own } = await readRequest((await params).guid);
  return {
    title: own
      ? `Your request #${request.id}`
      : `Request #${request.id} of ${request.requester.name}`,
  };
}

/** Only the faction's bankers may open the page, and opening it claims nothing. */
export default async function Fulfilment({ params, searchParams }: PageProps<"guid">) {
  const { playerId } = await requireUser();
  const shown = await readRequest((await params).guid);
  const done = await readParam(searchParams, "done");
  return (
    <>
      <RefreshOnVaultChange />
      {shown.request.outcome === "waiting" ? (
        <WaitingRequest {...shown} reader={playerId} />
      ) : (
        <RequestOver {...shown} done={done} />
      )}
    </>
  );
}

const trail = [{ label: "Vault", href: "/faction/banking" }];

type WaitingProps = FulfilmentView & { reader: number };

/** A banker claims the request, pays in the game, then confirms here. */
function WaitingRequest({ reader, ...shown }: WaitingProps) {
  const { factionId, request, own, mayFulfil, next } = shown;
  const { claim, currency } = request;
  const isHeld = claim !== null && claim.by.playerId !== reader;
  return (
    <>
      <PageHeader title={`Request #${request.id}`} trail={trail} />
      {claim && isHeld && (
        <Alert
          tone="warn"
          title={`${claim.by.name} is paying this`}
          actions={mayFulfil && next && <NextRequest next={next} />}
        >
          {mayFulfil ? "Do not pay it as well: the claim ends " : "The claim ends "}
          <Time at={claim.until} />, or with the payment.
        </Alert>
      )}
      <Card
        title="Request"
        footer={
          mayFulfil ? (
            <PayActs {...shown} isHeld={isHeld} />
          ) : (
            own && (
              <>
                <span>You can cancel it until it is paid.</span>
                <CancelForm factionId={factionId} request={request} own />
              </>
            )
          )
        }
      >
        <RequestFacts request={request} />
      </Card>
      {mayFulfil ? (
        <p className="text-sm text-ink-soft">
          Pay exactly this amount from the member's balance. A payday or an adjusted balance does
          not count as the payment. The member is notified at once. Adjutant looks for the payment
          in the vault's news for ten minutes, and warns the member if it is not there.
        </p>
      ) : own ? (
        <p className="text-sm text-ink-soft">
          It waits for a banker of your faction. You get a notice when it is paid or cancelled.
        </p>
      ) : (
        <Alert tone="warn" title="Another banker must pay this">
          Your position in the faction does not allow you to pay out{" "}
          {currency === "money_balance" ? "money" : "points"}.
        </Alert>
      )}
    </>
  );
}

type PayActsProps = FulfilmentView & {
  /** True if another banker holds the claim. */
  isHeld: boolean;
};

function PayActs({ request: { guid, claim }, isHeld, vaultPaymentUrl }: PayActsProps) {
  const page = `/faction/banking/fulfill/${guid}`;
  if (claim && isHeld)
    return (
      <>
        <span>Confirm only if you have paid it yourself.</span>
        <ConfirmButton
          label="I have paid it"
          tone="plain"
          action={`${page}/confirm`}
          consequences={`${claim.by.name} is paying this request now. Confirm only if you have paid it in ${gameName()} yourself.`}
        />
      </>
    );
  const isPaid = (
    <ActButton action={`${page}/confirm`} variant={claim ? "primary" : "secondary"} size="md">
      I have paid it
    </ActButton>
  );
  if (!claim)
    return (
      <>
        <span>Claim it first, so that no other banker pays it too.</span>
        <span className="flex flex-wrap gap-2">
          {isPaid}
          <ActButton action={`${page}/claim`} fields={{ act: "claim" }} variant="primary" size="md">
            Pay this
          </ActButton>
        </span>
      </>
    );
  return (
    <>
      <span>
        You are paying this; your claim ends <Time at={claim.until} />. Pay in {gameName()}, then
        confirm here.
      </span>
      <span className="flex flex-wrap gap-2">
        <ActButton action={`${page}/claim`} fields={{ act: "release" }} size="md">
          Release
        </ActButton>
        <LinkButton href={vaultPaymentUrl ?? "/demo"}>
          {vaultPaymentUrl === null ? "Pay on the demo page" : `Open the vault in ${gameName()}`}
        </LinkButton>
        {isPaid}
      </span>
    </>
  );
}

function RequestFacts({ request }: { request: RequestView }) {
  const { amount, currency, requester, requestedAt, expiresAt } = request;
  return (
    <KeyValueList
      items={[
        {
          label: "Member",
          value: `${requester.name} [${requester.playerId}]`,
          copy: String(requester.playerId),
        },
        {
          label: "Amount",
          value: (
            <strong className="tabular text-xl font-semibold">
              {formatAmount(amount, currency)}
            </strong>
          ),
          copy: String(amount),
        },
        { label: "Requested", at: requestedAt },
        { label: "Expires", at: expiresAt },
      ]}
    />
  );
}

type OverProps = FulfilmentView & { done: string | undefined };

const NextRequest = ({ next }: { next: NonNullable<FulfilmentView["next"]> }) => (
  <LinkButton href={`/faction/banking/fulfill/${next.guid}`} size="sm" variant="primary">
    Next request<span className="sr-only">: #{next.id}</span>
  </LinkButton>
);

function RequestOver({ request, own, mayFulfil, vaultPaymentUrl, next, done }: OverProps) {
  const { id, guid, amount, currency, requester, outcome, closedAt, closer, reason } = request;
  return (
    <StateMessage
      notice={noticeOf(done, requester.name)}
      kicker={`Request #${id}`}
      title={outcomeWords[outcome].title}
      actions={
        <>
          {outcome === "unverified" && mayFulfil && (
            <>
              {vaultPaymentUrl !== null && (
                <LinkButton href={vaultPaymentUrl} size="sm">
                  Open the vault in {gameName()}
                </LinkButton>
              )}
              <ConfirmButton
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
        {outcomeWords[outcome][own && !mayFulfil ? "toMember" : "toBanker"]}
      </p>
    </StateMessage>
  );
}

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
