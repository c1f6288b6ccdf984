import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { classNames } from "#app/_ui/class-names.tsx";
import { HiddenFields } from "#app/_ui/post-form.tsx";
import { FoldOnPhone } from "#app/_ui/scope-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import { dayMs } from "#server/platform/time";

type Props = { view: ConsentView; id: string; csrf: { name: string; value: string } };

const durations = [
  { value: "revoked", label: "Until I revoke it" },
  { value: "month", label: "30 days" },
  { value: "day", label: "24 hours" },
] as const;

/**
 * Preselects the earlier or lapsed duration. An application that asks each time gets another day if
 * the earlier choice ends within a day.
 */
function chosenBefore({
  earlier,
  lapsed,
  asksEachTime,
}: ConsentView): "earlier" | (typeof durations)[number]["value"] {
  if (!earlier?.until) return lapsed ?? "revoked";
  return asksEachTime && earlier.until.getTime() - Date.now() < dayMs ? "day" : "earlier";
}

/** Warnings come first, because on a phone the buttons are visible from the start. */
export function ConsentWarnings({
  view: { application, redirectHost, earlier, changed, asksEachTime, blockedBy },
}: {
  view: ConsentView;
}) {
  return (
    <>
      {application.inTest && (
        <Alert tone="warn" title="This application is in test">
          Only its team and test players can approve it.{" "}
          {application.role === "owner" && (
            <>
              <TextLink href={`/developers/apps/${application.clientId}`}>
                Open it to players
              </TextLink>{" "}
              when it is ready.
            </>
          )}
          {!application.isComplete && "Privacy details for players are missing."}
        </Alert>
      )}
      {changed && (
        <Alert tone="warn" title="It changed since you approved it">
          {changed.newOwner && (
            <>
              It now belongs to <bdi>{application.ownerName}</bdi>.{" "}
            </>
          )}
          {changed.formerName && (
            <>
              It was called <bdi>{changed.formerName}</bdi>.{" "}
            </>
          )}
          {changed.newHosts.length > 0 && (
            <>
              It can now also send you to{" "}
              <bdi className="wrap-anywhere">{changed.newHosts.join(", ")}</bdi>.
            </>
          )}
        </Alert>
      )}
      {blockedBy && (
        <Alert tone="warn" title={<>{blockedBy} blocks this application</>}>
          <bdi>{application.name}</bdi> can't read your faction's data, even if you approve it. Only
          a leader of {blockedBy} can allow it. Your own data is not affected.
        </Alert>
      )}
      {application.kind === "public" && (
        <Alert tone="warn" title="Make sure that you started this">
          <FoldOnPhone label="Why" className="max-sm:top-1 max-sm:right-0">
            <bdi>{application.name}</bdi> runs on a device
            {asksEachTime && " and cannot prove its identity"}. Approve only if you just asked it to
            connect.{" "}
            {asksEachTime
              ? "It will ask every time. Its access ends no later than you choose."
              : `Your answer goes to ${redirectHost} alone, so you are not asked again for as long as you choose.`}
          </FoldOnPhone>
        </Alert>
      )}
      {redirectHost !== null && redirectHost.length > longestInBar && (
        <p className="text-sm wrap-anywhere text-ink-soft lg:hidden">
          You'll return to <strong className="font-medium text-ink">{redirectHost}</strong>.
        </p>
      )}
      {earlier?.paused && (
        <Alert tone="warn" title="You have paused it">
          If you approve, <bdi>{application.name}</bdi> resumes on every device.
        </Alert>
      )}
    </>
  );
}

/**
 * Approve and deny look alike, and deny comes first, so that an accidental Enter allows nothing.
 */
export function DecisionForm({ view, id, csrf }: Props) {
  const { requestId, application, redirectHost, allowed, optional, earlier } = view;
  const chosen = chosenBefore(view);
  return (
    <form
      id={id}
      method="post"
      action={`/consent/${requestId}/decision`}
      aria-label="Your decision"
      className="grid gap-5 lg:rounded-card lg:border lg:border-line lg:bg-surface lg:p-5"
    >
      <HiddenFields fields={{ [csrf.name]: csrf.value }} />
      {/* The scopes shown, so that the answer cannot apply to others. */}
      {allowed.map(({ name }) => (
        <input key={name} type="hidden" name="allowed" value={name} />
      ))}
      {optional.map((name) => (
        <input key={name} type="hidden" name="optional" value={name} />
      ))}
      <div
        data-fixed-bar
        className="grid gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-10 max-lg:border-t max-lg:border-line max-lg:bg-surface max-lg:px-4 max-lg:py-2 lg:gap-5"
      >
        <fieldset>
          <legend className="text-sm font-medium">For how long?</legend>
          {earlier && (
            <p className="text-sm text-ink-faint">This also applies to what you allowed before.</p>
          )}
          <div className="flex flex-wrap gap-x-4 lg:mt-2 lg:grid lg:gap-1">
            {earlier?.until && (
              <Duration value="earlier" chosen={chosen}>
                As before: it expires <Time at={earlier.until} />
              </Duration>
            )}
            {durations.map(({ value, label }) => (
              <Duration key={value} value={value} chosen={chosen}>
                {label}
              </Duration>
            ))}
          </div>
        </fieldset>
        <p className="text-sm wrap-anywhere text-ink-soft">
          {redirectHost === null ? (
            <>
              You get a code to copy into{" "}
              <bdi className="font-medium text-ink">{application.name}</bdi>.
            </>
          ) : (
            <>
              You'll return to <ReturnHost host={redirectHost} />.
            </>
          )}
        </p>
        <div className="grid grid-cols-2 gap-3">
          <Button type="submit" name="decision" value="deny" size="lg">
            <X className="size-4" />
            Deny
          </Button>
          <Button type="submit" name="decision" value="approve" size="lg">
            <Check className="size-4" />
            Approve
          </Button>
        </div>
      </div>
      <p className="text-sm text-ink-faint max-lg:px-1">
        Revoke it at any time under Connected apps.
      </p>
    </form>
  );
}

/** Characters that fit on two lines of the phone's bar. */
const longestInBar = 45;

/**
 * The phone's bar cuts a long host at the start, because the end identifies a host. The page above
 * shows the whole host.
 */
function ReturnHost({ host }: { host: string }) {
  const strong = (text: string, className?: string) => (
    <strong className={classNames("font-medium text-ink", className)} title={host}>
      {text}
    </strong>
  );
  if (host.length <= longestInBar) return strong(host);
  return (
    <>
      {strong(host, "max-lg:hidden")}
      {strong(`…${host.slice(1 - longestInBar)}`, "lg:hidden")}
    </>
  );
}

type DurationProps = { value: string; chosen: string; children: ReactNode };

function Duration({ value, chosen, children }: DurationProps) {
  return (
    <label className="flex min-h-7 items-center gap-2 text-sm lg:text-base">
      <input
        type="radio"
        name="until"
        value={value}
        defaultChecked={chosen === value}
        className="size-4 flex-none accent-accent"
      />
      <span>{children}</span>
    </label>
  );
}
