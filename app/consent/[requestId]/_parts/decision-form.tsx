import { Check, X } from "lucide-react";
import { HiddenFields } from "#parts/hidden-fields";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import { Alert } from "#ui/alert";
import { Button } from "#ui/button";

type Props = { view: ConsentView; csrf: { name: string; value: string } };

const durations = [
  { value: "revoked", label: "Until I revoke it" },
  { value: "month", label: "30 days" },
  { value: "day", label: "24 hours" },
] as const;

/** The player's answer. Approve and deny look alike, and deny comes first: pressing Enter by accident allows nothing. */
export function DecisionForm({ view, csrf }: Props) {
  const { requestId, application, redirectHost } = view;
  return (
    <form
      method="post"
      action={`/consent/${requestId}/decision`}
      aria-label="Your decision"
      className="grid gap-5 rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <HiddenFields fields={{ [csrf.name]: csrf.value }} />
      {application.kind === "public" && (
        <Alert tone="warn" title="Make sure that you started this">
          {application.name} runs on a device and cannot prove who it is. Approve only if you have just asked it to
          connect. It will ask again each time.
        </Alert>
      )}
      <fieldset>
        <legend className="text-sm font-medium">For how long?</legend>
        <div className="mt-2 grid gap-1.5">
          {durations.map(({ value, label }) => (
            <label key={value} className="flex items-center gap-2.5">
              <input
                type="radio"
                name="until"
                value={value}
                defaultChecked={value === "revoked"}
                className="size-4 flex-none accent-accent"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <Button type="submit" name="decision" value="deny" size="lg">
          <X className="size-4" aria-hidden="true" />
          Deny
        </Button>
        <Button type="submit" name="decision" value="approve" size="lg">
          <Check className="size-4" aria-hidden="true" />
          Approve
        </Button>
      </div>
      <p className="text-sm text-ink-faint">
        Either way you go on to <strong className="font-medium wrap-anywhere text-ink-soft">{redirectHost}</strong>. You
        can revoke access at any time under Connected apps.
      </p>
    </form>
  );
}
