import type { ReactNode } from "react";
import { AskingSummary } from "#app/_ui/asking-summary.tsx";
import { Button } from "#app/_ui/button.tsx";
import { CsrfForm } from "./csrf-form";

type Props = {
  /** The words of the button that asks, and of the one that does it. */
  label: string;
  /** What it will cut, in a sentence or two. */
  consequences: ReactNode;
  action: string;
  fields?: Readonly<Record<string, string | undefined>>;
};

/** Asks once more before something is cut: a details element around a form, so that it works without script. */
export function Confirmation({ label, consequences, action, fields }: Props) {
  return (
    <details className="group open:w-full">
      <AskingSummary label={label} />
      <div className="grid gap-3 rounded-control border border-bad-line bg-bad-wash p-4 text-sm text-ink">
        <div>{consequences}</div>
        <CsrfForm action={action} fields={fields}>
          <Button type="submit" variant="danger" size="sm">
            {label}
          </Button>
        </CsrfForm>
      </div>
    </details>
  );
}
