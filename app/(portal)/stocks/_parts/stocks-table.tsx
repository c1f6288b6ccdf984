import { DataTable } from "#app/_ui/data-table.tsx";
import { Sparkline } from "#app/_ui/sparkline.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { StockView } from "#server/stocks/show-stocks";
import { Change, formatPrice, formatShortPrice } from "./describe-stock";

type Props = { stocks: readonly (StockView & { prices: readonly number[] })[] };

/** All stocks with their changes, and the last 30 days as a line. */
export function StocksTable({ stocks }: Props) {
  return (
    <DataTable
      caption="Stocks"
      rows={stocks}
      rowKey={({ stockId }) => stockId}
      columns={[
        {
          key: "name",
          header: "Stock",
          primary: true,
          cell: ({ acronym, name }) => (
            <>
              <TextLink href={`/stocks/${acronym}`} className="font-medium">
                {acronym}
              </TextLink>{" "}
              <span className="text-ink-faint">{name}</span>
            </>
          ),
        },
        { key: "price", header: "Price", numeric: true, cell: ({ price }) => formatPrice(price) },
        { key: "line", header: "30 days", cell: ({ prices }) => <Sparkline values={prices} /> },
        { key: "d1", header: "24 hours", numeric: true, cell: ({ changes }) => <Change change={changes.d1} /> },
        { key: "d7", header: "7 days", numeric: true, cell: ({ changes }) => <Change change={changes.d7} /> },
        { key: "m1", header: "30 days", numeric: true, cell: ({ changes }) => <Change change={changes.m1} /> },
        {
          key: "cap",
          header: "Market cap",
          numeric: true,
          cell: ({ marketCap }) => formatShortPrice(marketCap),
        },
      ]}
    />
  );
}
