import { randomUUID } from "node:crypto";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { type PageProps, readParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { StoredBalance } from "#server/faction/banking/show-banking";
import {
  currencies,
  describeShortBalance,
  formatAmount,
  readAmount,
  remainingBalance,
  resolveAmount,
  usualWaitingTime,
  waitingTimes,
} from "#server/faction/banking/vault-request";
import { GameUnavailable, InsufficientVaultBalance, UnknownFactionKey } from "#server/failures";
import { RefreshOnVaultChange } from "../_parts/faction-changes";
import { NoFaction } from "../_parts/no-faction";
import { BalanceCard, currencyOptions } from "./_parts/balance";
import { OwnRequestsTable, RequestQueueCard } from "./_parts/request-tables";

export const metadata = { title: "Vault" };

const done = {
  requested:
    "Request sent. Your bankers see it in the chat, and you get a notice when it is answered.",
  cancelled: "The request is cancelled.",
};
const wrong = () => ({
  gone: "Nothing was cancelled: the request is closed already, or not yours.",
  [GameUnavailable.code]: `${gameName()} isn't answering. Try again in a few minutes.`,
});

const asked = ["of", "member", "error", "amount", "currency", "waits"] as const;

export default async function Banking({ searchParams }: PageProps) {
  const { playerId } = await requireUser();
  const { of, member, error, ...typed } = await readParams(searchParams, asked);
  const filter = {
    currency: currencies.find((currency) => currency === of),
    member: member?.trim() || undefined,
  };
  const page = await (await caller()).banking.page(filter);
  if (!page) return <NoFaction title="Vault">its vault appears here.</NoFaction>;

  const { factionId, factionName, link, own, queue, pays, balance } = page;
  const short =
    error === String(InsufficientVaultBalance.code) ? describeShort(typed, balance) : undefined;
  return (
    <>
      <PageHeader
        title="Vault"
        lead={`Your balance and withdrawals at ${factionName}.`}
        actions={
          <>
            {pays.length > 0 && <LinkButton href="/faction/banking/balances">Balances</LinkButton>}
            <LinkButton href="/faction/banking/ledger">Ledger</LinkButton>
          </>
        }
      />
      <FormNotice
        searchParams={searchParams}
        done={done}
        wrong={{ ...wrong(), ...(short && { [InsufficientVaultBalance.code]: short.why }) }}
        refused="Nothing was done"
        remedies={{
          [UnknownFactionKey.code]: (
            <LinkButton href={signInPath({ next: "/faction/banking", for: "faction" })} size="sm">
              Add a key that can
            </LinkButton>
          ),
        }}
      />
      {short?.rest && (
        <ActButton
          action="/faction/banking/request"
          fields={{ ...typed, amount: String(short.rest) }}
          size="md"
        >
          Request {formatAmount(short.rest, short.currency)}
        </ActButton>
      )}
      <RefreshOnVaultChange />
      {queue && (
        <RequestQueueCard
          factionId={factionId}
          queue={queue}
          filter={filter}
          pays={pays}
          reader={playerId}
        />
      )}
      <BalanceCard balance={balance} />
      <RequestForm ready={link === "ready"} typed={typed} wrongAmount={error === "amount"} />
      <OwnRequestsTable factionId={factionId} requests={own} />
    </>
  );
}

/** Explains a shortfall; undefined if the amount is unreadable or covered by now. */
function describeShort(typed: RequestFormProps["typed"], balance: StoredBalance | null) {
  const amount = readAmount(typed.amount);
  const currency = currencies.find((known) => known === typed.currency);
  if (amount === undefined || currency === undefined || !balance) return undefined;
  const holdings = balance.holdings[currency];
  if (resolveAmount(amount, holdings) !== undefined) return undefined;
  return {
    why: `No request was made. ${describeShortBalance(amount, holdings, currency)}`,
    rest: remainingBalance(amount, holdings),
    currency,
  };
}

type RequestFormProps = {
  /** True if the faction's chat server shows requests. */
  ready: boolean;
  /** Values that refill a refused form. */
  typed: Readonly<Record<"amount" | "currency" | "waits", string | undefined>>;
  wrongAmount: boolean;
};

const times = waitingTimes.map(({ value, words }) => ({ value, label: words }));

function RequestForm({ ready, typed, wrongAmount }: RequestFormProps) {
  return (
    <Card
      title="Request a withdrawal"
      description={`Your bankers see it in the faction's chat and pay it in ${gameName()}.`}
    >
      {ready ? (
        <CsrfForm
          action="/faction/banking/request"
          fields={{ key: randomUUID() }}
          className="grid gap-4"
        >
          <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
            <InputField
              name="amount"
              label="Amount"
              hint="For example 250000, 2,500,000, 1.5m, 100k or all."
              error={wrongAmount && "Enter an amount, for example 1.5m or all."}
              className="tabular"
              defaultValue={typed.amount}
              autoComplete="off"
              autoCapitalize="none"
              maxLength={40}
              autoFocus={wrongAmount}
            />
            <SelectField
              name="currency"
              label="Currency"
              options={currencyOptions}
              defaultValue={typed.currency}
            />
            <SelectField
              name="waits"
              label="Expires after"
              options={times}
              defaultValue={typed.waits ?? usualWaitingTime}
            />
          </div>
          <div>
            <Button type="submit" variant="primary">
              Send request
            </Button>
          </div>
        </CsrfForm>
      ) : (
        <Alert
          tone="warn"
          title="Banking is not set up yet"
          actions={
            <LinkButton href="/faction/chat" size="sm">
              Open chat server
            </LinkButton>
          }
        >
          Requests are shown in a channel of the faction's chat server. Its administrators choose
          the channel.
        </Alert>
      )}
    </Card>
  );
}
