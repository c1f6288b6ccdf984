import { caller } from "#lib/caller";
import { figure } from "#lib/figure";
import { amountInWords } from "#server/faction/banking/amount-in-words";
import { failureBehind } from "#server/trpc/refusal";
import { Alert } from "#ui/alert";
import { Button } from "#ui/button";
import { Card } from "#ui/card";
import { StatRow } from "#ui/stat-row";

const tooOften = "You read it too often. Wait a minute and read it again.";
const reasons: ReadonlyMap<number, string> = new Map([
  [1100, "The vault keeps nothing in your name yet. Put money in it in the game, and it shows here."],
  [4000, tooOften],
  [1201, "No member's game key can read the vault. Somebody with faction API access must sign in here first."],
]);
const keysAreSpent =
  "The calls of the faction's game keys for this minute are used up. Wait a minute and read it again.";
const gameIsSilent = "The game did not answer. Wait a minute and read it again.";

/** The user's balance in the vault. It is read from the game when it is asked for, since each reading costs a call of somebody's key. */
export async function Balance({ shown }: { shown: boolean }) {
  return (
    <Card
      title="Your balance"
      description="What the vault keeps for you, as the game says at this moment."
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
          { label: "Money", value: amountInWords(money, "money_balance") },
          { label: "Points", value: figure(points) },
        ]}
      />
    );
  } catch (thrown) {
    const failure = failureBehind(thrown);
    if (!failure) throw thrown;
    return (
      <Alert tone="warn" title="It cannot be read now">
        {reasons.get(failure.kind.code) ?? (failure.details?.reason === "key_budget" ? keysAreSpent : gameIsSilent)}
      </Alert>
    );
  }
}
