import type { ReactNode } from "react";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { AskingSummary } from "#app/_ui/asking-summary.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Input } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";

/** What an admin typed before a confirmation or a refusal led back to the page. */
export type Typed = { act: string | undefined; reason: string | undefined };

export const readTyped = async (searchParams: SearchParams): Promise<Typed> => ({
  act: await readParam(searchParams, "act"),
  reason: await readParam(searchParams, "reason"),
});

type Props = {
  /** The words of the button that asks, and of the one that does it. */
  label: string;
  /** What it will cut. */
  consequences: ReactNode;
  /** Who will read the reason, and where. */
  reader: string;
  action: string;
  act: string;
  typed: Typed;
};

/** Asks for a reason before somebody is cut off: a details element around a form, so that it works without script. */
export function CutOff({ label, consequences, reader, action, act, typed }: Props) {
  const reason = typed.act === act ? typed.reason : undefined;
  return (
    <details className="group w-full" open={typed.act === act}>
      <AskingSummary label={label} />
      <CsrfForm
        action={action}
        fields={{ act }}
        className="grid gap-3 rounded-control border border-bad-line bg-bad-wash p-4 text-sm text-ink"
      >
        {reason && <Alert tone="warn">Not done yet. Check the reason, then press the button again.</Alert>}
        <div>{consequences}</div>
        <Field name="reason" label="Reason" hint={reader}>
          {(control) => (
            <Input {...control} defaultValue={reason} maxLength={300} autoComplete="off" className="bg-surface" />
          )}
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
