import { formatCappedNumber, formatCount, formatNumber } from "#app/_lib/format";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { mostReplayed } from "#server/webhooks/replay";
import { readContinuation } from "./replay-question";

type Props = {
  action: string;
  enabled: boolean;
  /** Of an account, with notices instead of events. */
  own: boolean;
};

const since = [
  { value: "1", label: "The last hour" },
  { value: "6", label: "The last 6 hours" },
  { value: "24", label: "The last 24 hours" },
  { value: "72", label: "The last 3 days" },
  { value: "168", label: "The last 7 days" },
];

/** Seven days. Works without script. */
export function Replay({ action, enabled, own }: Props) {
  return (
    <Card
      title="Replay"
      description={`Sends events of the last seven days once more, up to ${formatNumber(mostReplayed)} at a time, with the same id and the same body.${own ? "" : " Events that a player no longer allows are left out."}`}
    >
      {enabled ? (
        <div className="grid gap-5">
          <CsrfForm action={action} className="flex flex-wrap items-end gap-3">
            <SelectField
              name="hours"
              label="What failed in"
              className="min-w-0 flex-1 basis-48"
              options={since}
              defaultValue="24"
            />
            <Button type="submit">Replay failures</Button>
          </CsrfForm>
          <CsrfForm
            action={action}
            className="flex flex-wrap items-end gap-3 border-t border-line pt-5"
          >
            <InputField
              name="range_from"
              label="Everything from (UTC)"
              className="min-w-0 flex-1 basis-48"
              type="datetime-local"
              step="1"
            />
            <InputField
              name="range_until"
              label="until (UTC)"
              className="min-w-0 flex-1 basis-48"
              type="datetime-local"
              step="1"
            />
            <Button type="submit">Replay range</Button>
          </CsrfForm>
        </div>
      ) : (
        <p className="text-sm text-ink-soft">
          Events can be replayed once the endpoint is verified and enabled.
        </p>
      )}
    </Card>
  );
}

export async function ReplayDone({
  searchParams,
  action,
}: {
  searchParams: SearchParams;
  action: string;
}) {
  const numberOf = async (name: string) =>
    Number(/^\d{1,5}$/.exec((await readParam(searchParams, name)) ?? "")?.[0] ?? 0);
  if ((await readParam(searchParams, "done")) !== "replayed") return null;
  const more = (await readParam(searchParams, "more")) === "yes";
  const left = await numberOf("left");
  const rest = await readContinuation(searchParams);
  return (
    <Alert tone="good" live>
      <div className="grid justify-items-start gap-2.5">
        <p>
          {formatCount(await numberOf("count"), "event is", "events are")} on the way again.
          {rest && ` ${formatCappedNumber({ count: left, more })} left.`}
        </p>
        {rest && (
          <CsrfForm action={action} fields={rest}>
            <Button type="submit" size="sm">
              {more || left > mostReplayed
                ? `Replay the next ${formatNumber(mostReplayed)}`
                : `Replay the last ${formatNumber(left)}`}
            </Button>
          </CsrfForm>
        )}
      </div>
    </Alert>
  );
}
