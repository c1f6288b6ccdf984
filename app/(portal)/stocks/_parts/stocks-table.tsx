import { DataTable } from "#app/_ui/data-table.tsx";
import { Sparkline } from "#app/_ui/sparkline.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { StockView } from "#server/stocks/show-stocks";
import { Change, formatPrice, formatShortPrice } from "./describe-stock";

type Row = StockView & { prices: readonly number[] };
type Props = { stocks: readonly Row[]; sort: string | undefined };

/** All stocks with their changes, and the last 30 days as a line. */
export function StocksTable({ stocks, sort }: Props) {
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
        { key: "line", header: "30 days", cell: ({ prices }) => <Sparkline values={prices} /> },
        {
          key: "d1",
          header: "24 hours",
          sortBy: ({ changes }) => changes.d1,
          numeric: true,
          cell: ({ changes }) => <Change change={changes.d1} />,
        },
        {
          key: "d7",
          header: "7 days",
          sortBy: ({ changes }) => changes.d7,
          numeric: true,
          cell: ({ changes }) => <Change change={changes.d7} />,
        },
        {
          key: "m1",
          header: "Change, 30 days",
          sortBy: ({ changes }) => changes.m1,
          numeric: true,
          cell: ({ changes }) => <Change change={changes.m1} />,
        },
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
