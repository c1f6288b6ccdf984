import { gameName } from "#app/_lib/settings";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { Card } from "#app/_ui/card.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { StoredBalance } from "#server/faction/banking/show-banking";
import { type Currency, currencies, formatAmount } from "#server/faction/banking/vault-request";

export const currencyLabels: Readonly<Record<Currency, string>> = {
  money_balance: "Money",
  points_balance: "Points",
};

export const currencyOptions = currencies.map((value) => ({
  value,
  label: currencyLabels[value],
}));

type ReadNowProps = {
  /** Null before the first reading. */
  readAt: Date | null;
  /** The page to return to; absent for the vault's page. */
  to?: "balances";
};

export const ReadBalanceButton = ({ readAt, to }: ReadNowProps) => (
  <ActButton action="/faction/banking/balance" fields={{ to }}>
    {readAt ? "Read again" : "Read now"}
  </ActButton>
);

/** Shows the stored balance, because a reading costs a call with a player's key. */
export function BalanceCard({ balance }: { balance: StoredBalance | null }) {
  return (
    <Card
      title="Your balance"
      description={
        balance ? (
          <>
            Read from {gameName()} <Time at={balance.readAt} />.
          </>
        ) : (
          `Not read from ${gameName()} yet.`
        )
      }
      actions={<ReadBalanceButton readAt={balance?.readAt ?? null} />}
    >
      {balance && (
        <StatRow
          items={currencies.map((currency) => {
            const { balance: held, spokenFor } = balance.holdings[currency];
            return {
              label: currencyLabels[currency],
              value: formatAmount(held, currency),
              hint: spokenFor > 0 && `${formatAmount(spokenFor, currency)} of it is requested`,
            };
          })}
        />
      )}
    </Card>
  );
}
