import { ChartCandlestick } from "lucide-react";
import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { gameName } from "#app/_lib/settings";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { BenefitsTable } from "./_parts/benefits-table";
import { Filling } from "./_parts/filling";
import { Movers } from "./_parts/movers";
import { StocksTable } from "./_parts/stocks-table";

export const metadata: Metadata = { title: "Stocks" };

/** The stock market: prices, movers, and what holders get. Needs no script. */
export default async function Stocks() {
  await requireUser("/stocks");
  const { at, stocks, gainers, losers, histories, isRead } = await (await caller()).stocks.list();
  if (at === null)
    return (
      <div className="grid gap-6">
        <PageHeader title="Stocks" />
        {isRead && <Filling title="The first prices are read at the next full minute" />}
        <Card flush>
          <EmptyState icon={<ChartCandlestick />} title="No prices yet">
            {isRead ? (
              <>Prices are read from {gameName()} every minute. They appear here by themselves.</>
            ) : (
              <>
                Prices are read from {gameName()} every minute, with the keys of players who lend theirs. Nobody lends
                one now. <TextLink href="/account">Lend yours</TextLink>
              </>
            )}
          </EmptyState>
        </Card>
      </div>
    );
  const acronyms = new Map(stocks.map(({ stockId, acronym }) => [stockId, acronym]));
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Stocks"
        lead={
          <>
            The stock market of {gameName()}, as of <Time at={at} />.
          </>
        }
      />
      {isRead && histories.asked < histories.stocks && (
        <Filling title="The last 30 days are being read" done={histories.asked} of={histories.stocks} />
      )}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Movers title="Gainers" ranking={gainers} acronyms={acronyms} />
        <Movers title="Losers" ranking={losers} acronyms={acronyms} />
      </div>
      <Card title="All stocks" flush>
        <StocksTable stocks={stocks} />
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
