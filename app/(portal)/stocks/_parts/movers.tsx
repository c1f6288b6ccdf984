import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { moverPeriods, type Ranking } from "#server/stocks/rank-movers";
import { Change, formatPrice } from "./describe-stock";

const periodWords = { d1: "24 hours", d7: "7 days", m1: "30 days" } as const;

type Props = { title: string; ranking: Ranking; acronyms: ReadonlyMap<number, string> };

/** The five stocks that rose, or fell, the most over each period. */
export function Movers({ title, ranking, acronyms }: Props) {
  return (
    <Card title={title}>
      <div className="grid gap-6 sm:grid-cols-3">
        {moverPeriods.map((period) => (
          <section key={period}>
            <h3 className="text-sm font-medium text-ink-faint">{periodWords[period]}</h3>
            <ol className="mt-2 grid gap-2 text-sm">
              {ranking[period].map(({ stockId, change, price }) => (
                <li key={stockId} className="flex justify-between gap-3" title={formatPrice(price)}>
                  <TextLink href={`/stocks/${acronyms.get(stockId) ?? stockId}`}>
                    {acronyms.get(stockId) ?? stockId}
                  </TextLink>
                  <Change change={change} />
                </li>
              ))}
              {ranking[period].length === 0 && <li className="text-ink-soft">None</li>}
            </ol>
          </section>
        ))}
      </div>
    </Card>
  );
}
