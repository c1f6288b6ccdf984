import type { ReactNode } from "react";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { AskingSummary } from "#app/_ui/asking-summary.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Input } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";

type Props = {
  /** The words of the button that asks, and of the one that does it. */
  label: string;
  /** What it will cut. */
  consequences: ReactNode;
  /** Who will read the reason, and where. */
  reader: string;
  action: string;
  fields: Readonly<Record<string, string>>;
};

/** Asks for a reason before somebody is cut off: a details element around a form, so that it works without script. */
export function CutOff({ label, consequences, reader, action, fields }: Props) {
  return (
    <details className="group w-full">
      <AskingSummary label={label} />
      <CsrfForm
        action={action}
        fields={fields}
        className="grid gap-3 rounded-control border border-bad-line bg-bad-wash p-4 text-sm text-ink"
      >
        <div>{consequences}</div>
        <Field name="reason" label="Reason" hint={reader}>
          {(control) => <Input {...control} maxLength={300} autoComplete="off" className="bg-surface" />}
        </Field>
        <div>
          <Button type="submit" variant="danger" size="sm">
            {label}
          </Button>
        </div>
      </CsrfForm>
    </details>
  );
}
