import { caller } from "#app/_lib/caller";
import { formatNumber } from "#app/_lib/format";
import { gameName } from "#app/_lib/settings";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import { failureBehind } from "#server/trpc/refusal";

/** The user's balance in the vault. It is read from the game when it is asked for, since each reading costs a call of somebody's key. */
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

async function Figures() {
  const portal = await caller();
  try {
    const { money, points } = await portal.banking.balance();
    return (
      <StatRow
        items={[
          { label: "Money", value: formatAmount(money, "money_balance") },
          { label: "Points", value: formatNumber(points) },
        ]}
      />
    );
  } catch (thrown) {
    const failure = failureBehind(thrown);
    if (!failure) throw thrown;
    return (
      <Alert tone="warn" title="Your balance can't be read now">
        {failure.message}
      </Alert>
    );
  }
}
