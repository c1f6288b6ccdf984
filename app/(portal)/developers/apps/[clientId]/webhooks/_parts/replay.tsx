import type { SentForm } from "#app/_lib/form";
import { formatCappedNumber, formatCount, formatNumber } from "#app/_lib/format";
import { readParams, type SearchParams } from "#app/_lib/search-params";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { hourMs } from "#server/platform/time";
import type { ReplayInput } from "#server/webhooks/contract";
import { mostReplayed } from "#server/webhooks/replay";

type Props = {
  action: string;
  enabled: boolean;
  /** True for an account's endpoint, which gets notices instead of events. */
  own: boolean;
};

const since = [
  { value: "1", label: "The last hour" },
  { value: "6", label: "The last 6 hours" },
  { value: "24", label: "The last 24 hours" },
  { value: "72", label: "The last 3 days" },
  { value: "168", label: "The last 7 days" },
];

export function ReplayForms({ action, enabled, own }: Props) {
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

type DoneProps = { searchParams: SearchParams; action: string };

export async function ReplayResultAlert({ searchParams, action }: DoneProps) {
  const { done, count, left, more, ...rest } = await readParams(searchParams, [
    "done",
    "count",
    "left",
    "more",
    "since",
    "range_from",
    "range_until",
    "next",
  ] as const);
  if (done !== "replayed") return null;
  const remaining = { count: numberIn(left), more: more === "yes" };
  return (
    <Alert tone="good" live>
      <div className="grid justify-items-start gap-2.5">
        <p>
          {formatCount(numberIn(count), "event is", "events are")} on the way again.
          {rest.next && ` ${formatCappedNumber(remaining)} left.`}
        </p>
        {rest.next && (
          <ActButton action={action} fields={rest}>
            {remaining.more || remaining.count > mostReplayed
              ? `Replay the next ${formatNumber(mostReplayed)}`
              : `Replay the last ${formatNumber(remaining.count)}`}
          </ActButton>
        )}
      </div>
    </Alert>
  );
}

const numberIn = (text = "") => Number(/^\d{1,5}$/.exec(text)?.[0] ?? 0);

/** Reads a datetime-local value as UTC. */
const momentOf = (text = "") => new Date(`${text}Z`);

/** Each replay form sends a subset of these fields. */
export function readReplayForm(sent: SentForm): ReplayInput {
  const messageId = sent.get("message_id");
  if (messageId !== undefined) return { messageId };
  /** Cursor of a replay too long for one request. */
  const after = sent.get("next");
  if (sent.get("since") !== undefined) return { failedSince: momentOf(sent.get("since")), after };
  if (sent.get("hours") !== undefined)
    return { failedSince: new Date(Date.now() - sent.number("hours") * hourMs) };
  return {
    from: momentOf(sent.get("range_from")),
    until: momentOf(sent.get("range_until")),
    after,
  };
}

export function replayFieldsOf(which: ReplayInput): Record<string, string> {
  const moment = (at: Date) => at.toISOString().slice(0, 19);
  if ("messageId" in which) return { message_id: which.messageId };
  return "failedSince" in which
    ? { since: moment(which.failedSince) }
    : { range_from: moment(which.from), range_until: moment(which.until) };
}
