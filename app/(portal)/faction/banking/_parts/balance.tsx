import { cache } from "react";
import { caller } from "#app/_lib/caller";
import { gameName } from "#app/_lib/settings";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { formatAmount, type Holdings } from "#server/faction/banking/amount";
import { type Currency, currencies } from "#server/faction/banking/vault-request";
import { refusalOf } from "#server/trpc/refusal";

type Reading = { holdings: Readonly<Record<Currency, Holdings>> } | { problem: string };

/** Cached per page. */
export const readBalance = cache(async (): Promise<Reading> => {
  const portal = await caller();
  try {
    return { holdings: await portal.banking.balance() };
  } catch (thrown) {
    const { message } = refusalOf(thrown);
    if (message === undefined) throw thrown;
    return { problem: message };
  }
});

/** On request only: each reading costs a call with a player's key. */
export async function Balance({ shown }: { shown: boolean }) {
  return (
    <Card
      title="Your balance"
      description={`Your money and points in the faction vault, read from ${gameName()} now.`}
      actions={
        <form method="get" action="/faction/banking">
          <input type="hidden" name="balance" value="show" />
          <Button type="submit" size="sm">
            {shown ? "Read again" : "Show"}
          </Button>
        </form>
      }
    >
      {shown && <Figures />}
    </Card>
  );
}

const labels = { money_balance: "Money", points_balance: "Points" } as const;

async function Figures() {
  const reading = await readBalance();
  if ("problem" in reading)
    return (
      <Alert tone="warn" title="Your balance can't be read now">
        {reading.problem}
      </Alert>
    );
  return (
    <StatRow
      items={currencies.map((currency) => {
        const { balance, spokenFor } = reading.holdings[currency];
        return {
          label: labels[currency],
          value: formatAmount(balance, currency),
          hint: spokenFor > 0 && `${formatAmount(spokenFor, currency)} of it is requested`,
        };
      })}
    />
  );
}
