import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Button } from "#app/_ui/button.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import {
  describeShortBalance,
  fits,
  formatAmount,
  readAmount,
  restOf,
} from "#server/faction/banking/amount";
import type { StoredBalance } from "#server/faction/banking/show-banking";
import { currencies } from "#server/faction/banking/vault-request";
import { GameUnavailable, InsufficientVaultBalance, UnknownFactionKey } from "#server/failures";
import { FollowVault } from "../_parts/faction-changes";
import { NoFaction } from "../_parts/no-faction";
import { Balance } from "./_parts/balance";
import { RequestForm } from "./_parts/request-form";
import { OwnRequests, Queue } from "./_parts/request-tables";

export const metadata: Metadata = { title: "Vault" };

const done = {
  requested:
    "Request sent. Your bankers see it in the chat, and you get a notice when it is answered.",
  cancelled: "The request is cancelled.",
};
const wrong = () => ({
  gone: "Nothing was cancelled: the request is closed already, or not yours.",
  [GameUnavailable.code]: `${gameName()} isn't answering. Try again in a few minutes.`,
});

/** Without script the data is as of the page load. */
export default async function Banking({ searchParams }: { searchParams: SearchParams }) {
  const { playerId } = await requireUser();
  const read = (name: string) => readParam(searchParams, name);
  const of = await read("of");
  const filter = {
    currency: currencies.find((currency) => currency === of),
    member: (await read("member"))?.trim() || undefined,
  };
  const page = await (await caller()).banking.page(filter);
  if (!page) return <NoFaction title="Vault">its vault appears here.</NoFaction>;

  const { factionId, factionName, link, own, queue, pays, balance } = page;
  const error = await read("error");
  const typed = {
    amount: await read("amount"),
    currency: await read("currency"),
    waits: await read("waits"),
  };
  const short =
    error === String(InsufficientVaultBalance.code) ? describeShort(typed, balance) : undefined;
  return (
    <div className="grid gap-6">
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
            <LinkButton
              href={signInPath({ next: "/faction/banking", for: "faction" })}
              document
              size="sm"
            >
              Add a key that can
            </LinkButton>
          ),
        }}
      />
      {short?.rest && (
        <CsrfForm
          action="/faction/banking/request"
          fields={{ ...typed, amount: String(short.rest) }}
        >
          <Button type="submit">Request {formatAmount(short.rest, short.currency)}</Button>
        </CsrfForm>
      )}
      <FollowVault />
      {queue && (
        <Queue factionId={factionId} queue={queue} filter={filter} pays={pays} reader={playerId} />
      )}
      <Balance balance={balance} />
      <RequestForm ready={link === "ready"} typed={typed} wrongAmount={error === "amount"} />
      <OwnRequests factionId={factionId} requests={own} />
    </div>
  );
}

/** Shortfall with figures and the remaining amount; undefined if unreadable or covered by now. */
function describeShort(
  typed: { amount?: string | undefined; currency?: string | undefined },
  balance: StoredBalance | null,
) {
  const amount = readAmount(typed.amount);
  const currency = currencies.find((known) => known === typed.currency);
  if (amount === undefined || currency === undefined || !balance) return undefined;
  const holdings = balance.holdings[currency];
  if (fits(amount, holdings) !== undefined) return undefined;
  return {
    why: `No request was made. ${describeShortBalance(amount, holdings, currency)}`,
    rest: restOf(amount, holdings),
    currency,
  };
}
