import { playerCaller } from "#app/_lib/current-user";
import { formatCompact, formatNumber, formatShortDate } from "#app/_lib/format";
import { type PageProps, readParams } from "#app/_lib/search-params";
import { timePlot } from "#app/_lib/time-plot";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { filterFieldProps, ListFooter } from "#app/_parts/list-controls.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Plot, ShowAsTable } from "#app/_ui/plot.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { NoFaction } from "#app/(portal)/faction/_parts/no-faction.tsx";
import {
  type Ledger,
  ledgerDayChoices,
  mostLedgerLines,
  type PlayerTotal,
} from "#server/faction/banking/ledger";
import { formatAmount } from "#server/faction/banking/vault-request";
import { ClosedRequestsTable } from "../_parts/request-tables";
import { ledgerPath, ledgerQueryFields, readLedgerQuery } from "./_parts/read-ledger-query";

export const metadata = { title: "Vault ledger" };

const periods = ledgerDayChoices.map((days) => ({
  value: String(days),
  label: days === 365 ? "The last year" : `The last ${days} days`,
}));
const payments = [
  { value: "", label: "All closed requests" },
  { value: "unseen", label: "Payment not found" },
];

/** Bankers see all requests, others only their own. */
export default async function VaultLedger({ searchParams }: PageProps) {
  const { query, addressFor } = readLedgerQuery(await readParams(searchParams, ledgerQueryFields));
  const ledger = await (await playerCaller()).banking.ledger(query);
  if (!ledger) return <NoFaction title="Vault ledger">its vault's ledger appears here.</NoFaction>;

  const { factionName, banker, member, requests, pays, next, total, byDay, byBanker, byMember } =
    ledger;
  const days = String(query.days);
  const unseen = query.unseenOnly ? "unseen" : "";
  const fields = { days, member: query.member === null ? undefined : String(query.member) };
  return (
    <>
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
      <form method="get" action={ledgerPath} className="flex flex-wrap items-end gap-3">
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
          {...filterFieldProps}
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
        <ClosedRequestsTable requests={requests} pays={pays} />
      </Card>
      {requests.length > 0 && (
        <Card
          title="Save as a file"
          description={`The requests of this period as CSV, newest first, at most ${formatNumber(mostLedgerLines)}.`}
          actions={
            <ActButton
              action={`${ledgerPath}/export`}
              fields={{ ...fields, payments: unseen || undefined }}
            >
              Save CSV
            </ActButton>
          }
        />
      )}
      <div className="grid items-start gap-6">
        <Totals title={banker ? "Paid by banker" : "Who paid you"} totals={byBanker} />
        {banker && <Totals title="Paid to member" totals={byMember} hrefOf={addressFor} />}
      </div>
    </>
  );
}

type Props = {
  title: string;
  totals: readonly PlayerTotal[];
  /** If absent, names are not links. */
  hrefOf?: (playerId: number) => string;
};

const mostShown = 10;

function Totals({ title, totals, hrefOf }: Props) {
  const [shown, folded] = [totals.slice(0, mostShown), totals.slice(mostShown)];
  const table = (rows: readonly PlayerTotal[], caption: string) => (
    <DataTable
      caption={caption}
      rows={rows}
      rowKey={({ player }) => player.playerId}
      columns={columnsOf(hrefOf)}
      empty={<p className="px-4 py-5 text-sm text-ink-soft sm:px-5">No payments in this period.</p>}
    />
  );
  return (
    <Card title={title} flush>
      {table(shown, title)}
      {folded.length > 0 && (
        <details className="border-t border-line">
          <summary className="cursor-pointer px-4 py-3 text-sm font-medium sm:px-5">
            {formatNumber(folded.length)} more
          </summary>
          {table(folded, `${title}, continued`)}
        </details>
      )}
    </Card>
  );
}

const columnsOf = (hrefOf: Props["hrefOf"]): Column<PlayerTotal>[] => [
  {
    header: "Player",
    primary: true,
    cell: ({ player: { playerId, name } }) => (
      <>
        {hrefOf ? (
          <TextLink href={hrefOf(playerId)} className="font-medium">
            {name}
          </TextLink>
        ) : (
          <span className="font-medium">{name}</span>
        )}{" "}
        <span className="tabular text-ink-faint">[{playerId}]</span>
      </>
    ),
  },
  { header: "Payments", numeric: true, cell: ({ payments }) => formatNumber(payments) },
  { header: "Money", numeric: true, cell: ({ money }) => formatAmount(money, "money_balance") },
  { header: "Points", numeric: true, cell: ({ points }) => formatNumber(points) },
  { header: "Not found", numeric: true, cell: ({ unseen }) => formatNumber(unseen) },
];

const kinds = {
  money: {
    title: "Money paid by day",
    write: (amount: number) => formatAmount(amount, "money_balance"),
    tick: (amount: number) => `$${formatCompact(amount)}`,
  },
  points: {
    title: "Points paid by day",
    write: (amount: number) => formatAmount(amount, "points_balance"),
    tick: (amount: number) => formatCompact(amount),
  },
} as const;

/** Days are in UTC. */
function PaidByDay({ kind, byDay }: { kind: keyof typeof kinds; byDay: Ledger["byDay"] }) {
  const { title, write, tick } = kinds[kind];
  const values = byDay.map((one) => ({ at: one.at, value: one[kind] }));
  const paid = values.filter(({ value }) => value > 0);
  if (paid.length === 0) return null;
  const plot = timePlot(values, { value: write, tick, from: 0, name: formatShortDate });
  return (
    <Card title={title} flush>
      <div className="px-4 py-4 sm:px-5">
        <Plot title={title} as="bars" {...plot} />
      </div>
      <ShowAsTable className="border-t border-line">
        <DataTable
          caption={title}
          rows={[...paid].reverse()}
          rowKey={({ at }) => at.getTime()}
          columns={[
            { header: "Day (TCT)", primary: true, cell: ({ at }) => formatShortDate(at) },
            { header: "Paid", numeric: true, cell: ({ value }) => formatNumber(value) },
          ]}
        />
      </ShowAsTable>
    </Card>
  );
}
