import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Input, Select } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";

type Props = {
  /** Where the forms are posted. */
  action: string;
  enabled: boolean;
  /** Where a range goes on that was too long for one replay. */
  from: string | undefined;
};

const since = [
  { value: "1", label: "The last hour" },
  { value: "6", label: "The last 6 hours" },
  { value: "24", label: "The last 24 hours" },
  { value: "72", label: "The last 3 days" },
  { value: "168", label: "The last 7 days" },
];

/** Sends events of the last seven days once more. Needs no script. */
export function Replay({ action, enabled, from }: Props) {
  return (
    <Card
      title="Replay"
      description="Sends events of the last seven days once more, with the same id and the same body. Events that a player no longer allows are left out."
    >
      {enabled ? (
        <div className="grid gap-5">
          <CsrfForm action={action} fields={{ act: "replay" }} className="flex flex-wrap items-end gap-3">
            <Field name="hours" label="What failed in" className="min-w-0 flex-1 basis-48">
              {(control) => <Select {...control} options={since} defaultValue="24" />}
            </Field>
            <Button type="submit">Replay failures</Button>
          </CsrfForm>
          <CsrfForm
            action={action}
            fields={{ act: "replay" }}
            className="flex flex-wrap items-end gap-3 border-t border-line pt-5"
          >
            <Field name="range_from" label="Everything from (UTC)" className="min-w-0 flex-1 basis-48">
              {(control) => <Input {...control} type="datetime-local" step="1" defaultValue={from} />}
            </Field>
            <Field name="range_until" label="until (UTC)" className="min-w-0 flex-1 basis-48">
              {(control) => <Input {...control} type="datetime-local" step="1" />}
            </Field>
            <Button type="submit">Replay range</Button>
          </CsrfForm>
        </div>
      ) : (
        <p className="text-sm text-ink-soft">Events can be replayed once the endpoint is verified and resumed.</p>
      )}
    </Card>
  );
}
