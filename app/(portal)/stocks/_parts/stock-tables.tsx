import { formatCount, formatDuration, formatNumber } from "#app/_lib/format";
import { classNames } from "#app/_ui/class-names.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { daySeconds } from "#server/platform/time";
import type { StockView } from "#server/stocks/show-stocks";

const share = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const whole = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const short = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1,
});
const percent = new Intl.NumberFormat("en", {
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});

/** Share prices always have cents, so that they align. */
export const formatPrice = (value: number): string => share.format(value);
/** Amounts other than share prices have no cents in the game. */
export const formatMoney = (value: number): string => whole.format(value);
export const formatShortPrice = (value: number): string => short.format(value);

/** The sign says the same as the colour, for colour-blind readers. */
export function PriceChange({ change }: { change: number | null }) {
  if (change === null) return <>–</>;
  return (
    <span className={classNames("tabular", change > 0 && "text-good", change < 0 && "text-bad")}>
      {percent.format(change)}
    </span>
  );
}

/** "311 days" or "2.0 years" until payments equal the cost. */
export function formatPayBack(days: number): string {
  if (days < 730) return formatCount(days, "day");
  return `${(days / 365).toFixed(1)} years`;
}

type ListedStock = StockView & { prices: readonly number[] };
type StocksTableProps = { stocks: readonly ListedStock[]; sort: string | undefined };

const changeColumns = [
  ["d1", "24 hours"],
  ["d7", "7 days"],
  ["m1", "Change, 30 days"],
] as const;

export function StocksTable({ stocks, sort }: StocksTableProps) {
  return (
    <DataTable
      caption="Stocks"
      rows={stocks}
      order={{ typed: sort, page: "/stocks", anchor: "all" }}
      rowKey={({ stockId }) => stockId}
      columns={[
        {
          key: "name",
          header: "Stock",
          primary: true,
          sortBy: ({ acronym }) => acronym,
          cell: ({ acronym, name }) => (
            <>
              <TextLink href={`/stocks/${acronym}`} className="font-medium">
                {acronym}
              </TextLink>{" "}
              <span className="text-ink-faint">{name}</span>
            </>
          ),
        },
        {
          key: "price",
          header: "Price",
          sortBy: ({ price }) => price,
          numeric: true,
          cell: ({ price }) => formatPrice(price),
        },
        { header: "30 days", cell: ({ prices }) => <Sparkline values={prices} /> },
        ...changeColumns.map(([key, header]) => ({
          key,
          header,
          sortBy: ({ changes }: ListedStock) => changes[key],
          numeric: true,
          cell: ({ changes }: ListedStock) => <PriceChange change={changes[key]} />,
        })),
        {
          key: "cap",
          header: "Market cap",
          sortBy: ({ marketCap }) => marketCap,
          numeric: true,
          cell: ({ marketCap }) => formatShortPrice(marketCap),
        },
      ]}
    />
  );
}

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
          header: "Stock",
          primary: true,
          cell: ({ acronym }) => (
            <TextLink href={`/stocks/${acronym}`} className="font-medium">
              {acronym}
            </TextLink>
          ),
        },
        { header: "Benefit", prose: true, cell: ({ description }) => description },
        {
          header: "Every",
          nowrap: true,
          cell: ({ frequency }) =>
            frequency === null ? "While held" : formatDuration(frequency * daySeconds),
        },
        { header: "Shares", numeric: true, cell: ({ requirement }) => formatNumber(requirement) },
        { header: "Cost now", numeric: true, cell: ({ cost }) => formatShortPrice(cost) },
        {
          header: "Value per payout",
          numeric: true,
          cell: ({ value }) => (value === null ? "No price" : formatMoney(value)),
        },
        {
          header: "Break-even",
          numeric: true,
          nowrap: true,
          cell: ({ payBackDays }) => (payBackDays === null ? "–" : formatPayBack(payBackDays)),
        },
      ]}
    />
  );
}

const lineWidth = 96;
const lineHeight = 24;

/** A word-sized plot of the figures beside it. */
function Sparkline({ values }: { values: readonly number[] }) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  const step = lineWidth / Math.max(1, values.length - 1);
  const places = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)} ${(lineHeight - 2 - ((value - least) / span) * (lineHeight - 4)).toFixed(1)}`,
  );
  if (places.length < 2) return null;
  return (
    <svg
      viewBox={`0 0 ${lineWidth} ${lineHeight}`}
      className="inline-block h-6 w-24"
      aria-hidden="true"
    >
      <path
        d={`M${places.join("L")}`}
        className="fill-none stroke-accent"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}
