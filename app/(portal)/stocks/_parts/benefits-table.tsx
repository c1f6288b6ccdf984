import { formatDuration, formatNumber } from "#app/_lib/format";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { daySeconds } from "#server/platform/durations";
import type { StockView } from "#server/stocks/show-stocks";
import { formatMoney, formatPayBack, formatShortPrice } from "./describe-stock";

/** What holders get, what the shares for it cost now, and when its payments have come to that; the soonest first. */
export function BenefitsTable({ stocks }: { stocks: readonly StockView[] }) {
  const rows = stocks
    .flatMap(({ acronym, benefit }) => (benefit ? [{ acronym, ...benefit }] : []))
    .sort((one, other) => (one.payBackDays ?? Infinity) - (other.payBackDays ?? Infinity));
  return (
    <DataTable
      caption="Benefits"
      rows={rows}
      rowKey={({ stockId }) => stockId}
      columns={[
        {
          key: "stock",
          header: "Stock",
          primary: true,
          cell: ({ acronym }) => (
            <TextLink href={`/stocks/${acronym}`} className="font-medium">
              {acronym}
            </TextLink>
          ),
        },
        { key: "what", header: "Benefit", prose: true, cell: ({ description }) => description },
        {
          key: "every",
          header: "Every",
          nowrap: true,
          cell: ({ frequency }) => (frequency === null ? "While held" : formatDuration(frequency * daySeconds)),
        },
        { key: "shares", header: "Shares", numeric: true, cell: ({ requirement }) => formatNumber(requirement) },
        { key: "cost", header: "Cost now", numeric: true, cell: ({ cost }) => formatShortPrice(cost) },
        {
          key: "value",
          header: "One payment",
          numeric: true,
          cell: ({ value }) => (value === null ? "No price" : formatMoney(value)),
        },
        {
          key: "back",
          header: "Pays back in",
          numeric: true,
          nowrap: true,
          cell: ({ payBackDays }) => (payBackDays === null ? "–" : formatPayBack(payBackDays)),
        },
      ]}
    />
  );
}
