import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { playerCaller } from "#app/_lib/current-user";
import { formatDuration, formatNumber } from "#app/_lib/format";
import type { PageProps } from "#app/_lib/search-params";
import { timePlot } from "#app/_lib/time-plot";
import { RefreshEachMinute } from "#app/_parts/page-refresh.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { KeyValueList, StatRow } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Plot, ShowAsTable } from "#app/_ui/plot.tsx";
import { Time } from "#app/_ui/time.tsx";
import { daySeconds } from "#server/platform/time";
import {
  formatMoney,
  formatPayBack,
  formatPrice,
  formatShortPrice,
  PriceChange,
} from "../_parts/stock-tables";

type Series = readonly { at: Date; price: number }[];

/** Cached, because page and title read the stock. */
const readStock = cache(async (acronym: string) => {
  if (!/^[A-Za-z0-9]{1,10}$/.test(acronym)) notFound();
  return (await (await playerCaller()).stocks.show({ acronym })) ?? notFound();
});

export async function generateMetadata({ params }: PageProps<"acronym">): Promise<Metadata> {
  const { acronym, name } = (await readStock((await params).acronym)).stock;
  return { title: `${acronym} ${name}` };
}

export default async function StockPage({ params }: PageProps<"acronym">) {
  const { stock, at, last30Days, lastDay } = await readStock((await params).acronym);
  const { price, changes, marketCap, investors, benefit, name } = stock;
  return (
    <div className="grid gap-6">
      <RefreshEachMinute />
      <PageHeader
        title={
          <>
            {stock.acronym} <span className="font-normal text-ink-faint">{name}</span>
          </>
        }
        trail={[{ label: "Stocks", href: "/stocks" }]}
        lead={
          <>
            Updated <Time at={at} />
          </>
        }
      />
      <StatRow
        items={[
          { label: "Price", value: formatPrice(price) },
          { label: "24 hours", value: <PriceChange change={changes.d1} /> },
          { label: "7 days", value: <PriceChange change={changes.d7} /> },
          { label: "30 days", value: <PriceChange change={changes.m1} /> },
          { label: "Market cap", value: formatShortPrice(marketCap) },
          { label: "Investors", value: formatNumber(investors) },
        ]}
      />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <PriceCard title="Last 30 days" series={last30Days} />
        <PriceCard title="Last 24 hours" series={lastDay} />
      </div>
      {benefit && (
        <Card title="Benefit">
          <KeyValueList
            items={[
              { label: "Holders get", value: benefit.description },
              {
                label: "Every",
                value:
                  benefit.frequency === null
                    ? "While held"
                    : formatDuration(benefit.frequency * daySeconds),
              },
              { label: "Shares", value: formatNumber(benefit.requirement) },
              { label: "Cost now", value: formatMoney(benefit.cost) },
              {
                label: "Value per payout",
                value: benefit.value === null ? "No price" : formatMoney(benefit.value),
              },
              {
                label: "Break-even",
                value: benefit.payBackDays === null ? "–" : formatPayBack(benefit.payBackDays),
              },
            ]}
          />
        </Card>
      )}
    </div>
  );
}

function PriceCard({ title, series }: { title: string; series: Series }) {
  return (
    <Card title={title} flush>
      <div className="px-4 py-4 sm:px-5">
        <Plot
          title={`Price, ${title.toLowerCase()}`}
          as="line"
          {...timePlot(
            series.map(({ at, price }) => ({ at, value: price })),
            { value: formatPrice, tick: formatPrice },
          )}
        />
      </div>
      <ShowAsTable className="border-t border-line">
        <DataTable
          caption={`Price, ${title.toLowerCase()}`}
          rows={[...series].reverse()}
          rowKey={({ at }) => at.getTime()}
          columns={[
            { header: "Time", primary: true, at: ({ at }) => at },
            { header: "Price", numeric: true, cell: ({ price }) => formatPrice(price) },
          ]}
        />
      </ShowAsTable>
    </Card>
  );
}
