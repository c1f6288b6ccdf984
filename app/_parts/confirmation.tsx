import type { ReactNode } from "react";
import { AskingDialog } from "#app/_ui/asking-dialog.tsx";
import { Button } from "#app/_ui/button.tsx";
import { CsrfForm } from "./csrf-form";

type Props = {
  /** The opening button, and the acting one unless `confirm` names it. */
  label: string;
  confirm?: string;
  /** Accessible name: the object, as "request #12". */
  what?: string;
  consequences: ReactNode;
  /** "plain" for an act that cuts nothing. */
  tone?: "danger" | "plain";
  action: string;
  fields?: Readonly<Record<string, string | undefined>>;
};

/** Works without script. */
export function Confirmation({
  label,
  confirm = label,
  what,
  consequences,
  tone = "danger",
  action,
  fields,
}: Props) {
  return (
    <AskingDialog label={label} what={what} title={what ? `${label} ${what}?` : `${label}?`}>
      <p>{consequences}</p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        {/* First in order, so that it gets the focus instead of the destructive button. */}
        <form method="dialog" className="needs-script">
          <Button type="submit" size="sm">
            Back
          </Button>
        </form>
        <CsrfForm action={action} fields={fields}>
          <Button type="submit" variant={tone === "danger" ? "danger" : "primary"} size="sm">
            {confirm}
          </Button>
        </CsrfForm>
      </div>
    </AskingDialog>
  );
}
