import type { ReactNode } from "react";
import { AskingSummary } from "#app/_ui/asking-summary.tsx";
import { Button } from "#app/_ui/button.tsx";
import { classNames } from "#app/_ui/class-names.tsx";
import { CsrfForm } from "./csrf-form";

type Props = {
  /** The words of the button that asks, and of the one that does it, unless `confirm` says otherwise. */
  label: string;
  confirm?: string;
  /** What it is done to, for who hears the button and does not see what stands beside it. */
  what?: string;
  /** What it will cut, in a sentence or two. */
  consequences: ReactNode;
  /** "plain" for an act that cuts nothing. */
  tone?: "danger" | "plain";
  action: string;
  fields?: Readonly<Record<string, string | undefined>>;
};

/** Asks once more before something is cut: a details element around a form, so that it works without script. */
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
    <details className="group open:w-full">
      <AskingSummary label={label} what={what} />
      <div
        className={classNames(
          "grid gap-3 rounded-control border p-4 text-left text-sm whitespace-normal text-ink",
          tone === "danger" ? "border-bad-line bg-bad-wash" : "border-line bg-sunken",
        )}
      >
        <div>{consequences}</div>
        <CsrfForm action={action} fields={fields}>
          <Button type="submit" variant={tone === "danger" ? "danger" : "primary"} size="sm">
            {confirm}
          </Button>
        </CsrfForm>
      </div>
    </details>
  );
}
