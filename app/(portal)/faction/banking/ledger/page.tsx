import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import type { SearchParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { filterField } from "#app/_parts/filter-form.tsx";
import { ListFooter } from "#app/_parts/list-footer.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import { ledgerDays, mostLedgerLines } from "#server/faction/banking/ledger";
import { NoFaction } from "../../_parts/no-faction";
import { ClosedRequests } from "../_parts/request-tables";
import { ledgerPage, readLedgerQuery } from "./_parts/read-ledger-query";
import { PaidByDay, Totals } from "./_parts/totals";

export const metadata: Metadata = { title: "Vault ledger" };

const periods = ledgerDays.map((days) => ({
  value: String(days),
  label: days === 365 ? "The last year" : `The last ${days} days`,
}));
const payments = [
  { value: "", label: "All closed requests" },
  { value: "unseen", label: "Payment not found" },
];

/** All for bankers, otherwise the player's own. Works without script. */
export default async function VaultLedger({ searchParams }: { searchParams: SearchParams }) {
  await requireUser();
  const { query, addressFor } = readLedgerQuery(await searchParams);
  const ledger = await (await caller()).banking.ledger(query);
  if (!ledger) return <NoFaction title="Vault ledger">its vault's ledger appears here.</NoFaction>;

  const { factionName, banker, member, requests, pays, next, total, byDay, byBanker, byMember } =
    ledger;
  const days = String(query.days);
  const unseen = query.unseenOnly ? "unseen" : "";
  const fields = { days, member: query.member === null ? undefined : String(query.member) };
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Vault ledger"
        trail={[{ label: "Vault", href: "/faction/banking" }]}
        lead={
          banker && member ? (
            <>
              Closed requests of {member.name} [{member.playerId}] at {factionName}.{" "}
              <TextLink href={addressFor(null)}>Show all members</TextLink>
            </>
          ) : banker ? (
            `Closed requests at ${factionName}, and what its bankers paid.`
          ) : (
            `Your closed requests at ${factionName}.`
          )
        }
      />
      <form method="get" action={ledgerPage} className="flex flex-wrap items-end gap-3">
        {banker && query.member !== null && (
          <input type="hidden" name="member" value={query.member} />
        )}
        <SelectField
          name="days"
          label="Period"
          className="max-sm:w-full"
          options={periods}
          defaultValue={days}
        />
        <SelectField
          {...filterField}
          name="payments"
          label="Requests"
          className="max-sm:w-full"
          options={payments}
          defaultValue={unseen}
        />
        <Button type="submit" className="max-sm:w-full">
          Filter
        </Button>
      </form>
      <StatRow
        items={[
          { label: "Money paid", value: formatAmount(total.money, "money_balance") },
          { label: "Points paid", value: formatNumber(total.points) },
          { label: "Payments", value: formatNumber(total.payments) },
          ...(total.checked > 0
            ? [{ label: "Being checked", value: formatNumber(total.checked) }]
            : []),
          { label: "Payments not found", value: formatNumber(total.unseen) },
        ]}
      />
      <PaidByDay kind="money" byDay={byDay} />
      <PaidByDay kind="points" byDay={byDay} />
      <Card
        title="Closed requests"
        description="Newest first. “Confirmed” means the payment was in the faction news within 10 minutes."
        flush
        footer={
          <ListFooter
            address={addressFor(query.member)}
            after={query.after ?? undefined}
            next={next}
          >
            Days in TCT (UTC).
          </ListFooter>
        }
      >
        <ClosedRequests requests={requests} pays={pays} />
      </Card>
      {requests.length > 0 && (
        <Card
          title="Save as a file"
          description={`The requests of this period as CSV, newest first, at most ${formatNumber(mostLedgerLines)}.`}
          actions={
            <CsrfForm
              action={`${ledgerPage}/export`}
              fields={{ ...fields, payments: unseen || undefined }}
            >
              <Button type="submit" size="sm">
                Save CSV
              </Button>
            </CsrfForm>
          }
        />
      )}
      <div className="grid items-start gap-6">
        <Totals title={banker ? "Paid by banker" : "Who paid you"} totals={byBanker} />
        {banker && <Totals title="Paid to member" totals={byMember} hrefOf={addressFor} />}
      </div>
    </div>
  );
}
