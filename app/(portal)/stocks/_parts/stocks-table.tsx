import { type SortValues, sortRows } from "#app/_lib/sort-rows";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Sparkline } from "#app/_ui/sparkline.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { StockView } from "#server/stocks/show-stocks";
import { Change, formatPrice, formatShortPrice } from "./describe-stock";

type Row = StockView & { prices: readonly number[] };
type Props = { stocks: readonly Row[]; sort: string | undefined };

const values: SortValues<Row> = {
  name: ({ acronym }) => acronym,
  price: ({ price }) => price,
  d1: ({ changes }) => changes.d1,
  d7: ({ changes }) => changes.d7,
  m1: ({ changes }) => changes.m1,
  cap: ({ marketCap }) => marketCap,
};

/** All stocks with their changes, and the last 30 days as a line. */
export function StocksTable({ stocks, sort }: Props) {
  const { rows, sortOf } = sortRows(stocks, values, { typed: sort, page: "/stocks", anchor: "all" });
  return (
    <DataTable
      caption="Stocks"
      rows={rows}
      rowKey={({ stockId }) => stockId}
      columns={[
        {
          key: "name",
          header: "Stock",
          primary: true,
          sort: sortOf("name"),
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
          sort: sortOf("price"),
          numeric: true,
          cell: ({ price }) => formatPrice(price),
        },
        { key: "line", header: "30 days", cell: ({ prices }) => <Sparkline values={prices} /> },
        {
          key: "d1",
          header: "24 hours",
          sort: sortOf("d1"),
          numeric: true,
          cell: ({ changes }) => <Change change={changes.d1} />,
        },
        {
          key: "d7",
          header: "7 days",
          sort: sortOf("d7"),
          numeric: true,
          cell: ({ changes }) => <Change change={changes.d7} />,
        },
        {
          key: "m1",
          header: "Change, 30 days",
          sort: sortOf("m1"),
          numeric: true,
          cell: ({ changes }) => <Change change={changes.m1} />,
        },
        {
          key: "cap",
          header: "Market cap",
          sort: sortOf("cap"),
          numeric: true,
          cell: ({ marketCap }) => formatShortPrice(marketCap),
        },
      ]}
    />
  );
}
