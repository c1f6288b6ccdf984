import { randomUUID } from "node:crypto";
import { gameName } from "#app/_lib/settings";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Field, Input, SelectField } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { usualWaitingTime, waitingTimes } from "#server/faction/banking/vault-request";

type Props = {
  /** True if the faction's chat server shows requests. */
  ready: boolean;
  /** Values of a refused form. */
  typed: { amount?: string | undefined; currency?: string | undefined; waits?: string | undefined };
  wrongAmount: boolean;
};

const kinds = [
  { value: "money_balance", label: "Money" },
  { value: "points_balance", label: "Points" },
];
const times = waitingTimes.map(({ value, words }) => ({ value, label: words }));

export function RequestForm({ ready, typed, wrongAmount }: Props) {
  return (
    <Card
      title="Request a withdrawal"
      description={`Your bankers see it in the faction's chat and pay it in ${gameName()}.`}
    >
      {ready ? (
        <CsrfForm
          action="/faction/banking/request"
          fields={{ key: randomUUID() }}
          className="grid gap-4"
        >
          <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
            <Field
              name="amount"
              label="Amount"
              hint="For example 250000, 2,500,000, 1.5m, 100k or all."
              error={wrongAmount ? "Enter an amount, for example 1.5m or all." : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  defaultValue={typed.amount}
                  className="tabular"
                  autoComplete="off"
                  autoCapitalize="none"
                  maxLength={40}
                  autoFocus={wrongAmount}
                />
              )}
            </Field>
            <SelectField
              name="currency"
              label="Currency"
              options={kinds}
              defaultValue={typed.currency}
            />
            <SelectField
              name="waits"
              label="Expires after"
              options={times}
              defaultValue={typed.waits ?? usualWaitingTime}
            />
          </div>
          <div>
            <Button type="submit" variant="primary">
              Send request
            </Button>
          </div>
        </CsrfForm>
      ) : (
        <Alert
          tone="warn"
          title="Banking is not set up yet"
          actions={
            <LinkButton href="/faction/chat" size="sm">
              Open chat server
            </LinkButton>
          }
        >
          Requests are shown in a channel of the faction's chat server. Its administrators choose
          the channel.
        </Alert>
      )}
    </Card>
  );
}
