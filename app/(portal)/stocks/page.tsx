import { ChartCandlestick } from "lucide-react";
import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { LoadingNotice, RefreshEachMinute } from "#app/_parts/page-refresh.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { moverPeriods, type Ranking } from "#server/stocks/rank-movers";
import { BenefitsTable, formatPrice, PriceChange, StocksTable } from "./_parts/stock-tables";

export const metadata = { title: "Stocks" };

export default async function Stocks({ searchParams }: PageProps) {
  const { at, stocks, gainers, losers, histories, isRead } = await (
    await playerCaller()
  ).stocks.list();
  if (at === null)
    return (
      <div className="grid gap-6">
        <PageHeader title="Stocks" />
        {isRead && (
          <LoadingNotice title="The first prices are read at the next full minute" page="/stocks" />
        )}
        <Card flush>
          <EmptyState icon={<ChartCandlestick />} title="No prices yet">
            {isRead ? (
              <>Prices are read from {gameName()} every minute. They appear here by themselves.</>
            ) : (
              <>
                Prices are read from {gameName()} every minute, with the keys of players who lend
                theirs. Nobody lends one now. <TextLink href="/account">Lend yours</TextLink>
              </>
            )}
          </EmptyState>
        </Card>
      </div>
    );
  const acronyms = new Map(stocks.map(({ stockId, acronym }) => [stockId, acronym]));
  return (
    <div className="grid gap-6">
      <RefreshEachMinute />
      <PageHeader
        title="Stocks"
        lead={
          <>
            The stock market of {gameName()}, as of <Time at={at} />.
          </>
        }
      />
      {isRead && histories.asked < histories.stocks && (
        <LoadingNotice
          title="The last 30 days are being read"
          done={histories.asked}
          of={histories.stocks}
          unit="stocks"
          page="/stocks"
        />
      )}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Movers title="Gainers" ranking={gainers} acronyms={acronyms} />
        <Movers title="Losers" ranking={losers} acronyms={acronyms} />
      </div>
      <Card id="all" title="All stocks" flush>
        <StocksTable stocks={stocks} sort={await readParam(searchParams, "sort")} />
      </Card>
      <Card
        title="Benefits"
        description="At present prices of shares, items and points. Benefits without a price come last."
        flush
      >
        <BenefitsTable stocks={stocks} />
      </Card>
    </div>
  );
}

const periodWords = { d1: "24 hours", d7: "7 days", m1: "30 days" } as const;

type MoversProps = { title: string; ranking: Ranking; acronyms: ReadonlyMap<number, string> };

function Movers({ title, ranking, acronyms }: MoversProps) {
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
                  <PriceChange change={change} />
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
