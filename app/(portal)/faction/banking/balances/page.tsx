import { Scale } from "lucide-react";
import { notFound } from "next/navigation";
import { playerCaller } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Time } from "#app/_ui/time.tsx";
import { type Currency, formatAmount } from "#server/faction/banking/vault-request";
import { currencyLabels, ReadBalanceButton } from "../_parts/balance";

export const metadata = { title: "Balances" };

/** Members that may not pay out get "not found". */
export default async function Balances({ searchParams }: PageProps) {
  const shown = await (await playerCaller()).banking.balances();
  if (!shown) notFound();
  const { factionName, pays, readAt, members } = shown;
  const sum = (currency: Currency) =>
    members.reduce((total, { balances }) => total + (balances[currency] ?? 0), 0);
  return (
    <>
      <PageHeader
        title="Balances"
        trail={[{ label: "Vault", href: "/faction/banking" }]}
        lead={`What the vault of ${factionName} keeps for its members.`}
      />
      <StatRow
        items={pays.map((currency) => ({
          label: `${currencyLabels[currency]} of all members`,
          value: formatAmount(sum(currency), currency),
        }))}
      />
      <TableCard
        title="Members"
        description={
          readAt ? (
            <>
              Read from {gameName()} <Time at={readAt} />.
            </>
          ) : undefined
        }
        actions={<ReadBalanceButton readAt={readAt} to="balances" />}
        caption="Balances of the members"
        dense
        rows={members}
        rowKey={({ player }) => player.playerId}
        order={{
          typed: (await readParam(searchParams, "sort")) ?? `-${pays[0]}`,
          page: "/faction/banking/balances",
        }}
        empty={
          <EmptyState icon={<Scale />} title="Not read yet">
            Read the vault once, and the balances of all members appear here.
          </EmptyState>
        }
        columns={[
          {
            key: "name",
            header: "Member",
            primary: true,
            sortBy: ({ player }) => player.name,
            cell: ({ player }) => <PlayerLink {...player} />,
          },
          ...pays.map((currency) => ({
            key: currency,
            header: currencyLabels[currency],
            numeric: true,
            nowrap: true,
            sortBy: ({ balances }: (typeof members)[number]) => balances[currency] ?? null,
            cell: ({ balances }: (typeof members)[number]) =>
              currency === "points_balance"
                ? formatNumber(balances[currency] ?? 0)
                : formatAmount(balances[currency] ?? 0, currency),
          })),
        ]}
      />
    </>
  );
}
