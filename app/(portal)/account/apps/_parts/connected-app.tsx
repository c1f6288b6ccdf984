import { formatCount } from "#app/_lib/format";
import type { SearchParams } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { StoredLink } from "#app/_parts/external-links.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Badge, ProvenDomainBadge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { DialogButton } from "#app/_ui/dialog-button.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { eventWordsOf } from "#server/event-types";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";

type ConsentBadgesProps = { suspended: boolean; paused: boolean; blocked: boolean };

export const ConsentBadges = ({ suspended, paused, blocked }: ConsentBadgesProps) => (
  <>
    {suspended && <Badge tone="bad">Suspended</Badge>}
    {paused && <Badge tone="warn">Paused</Badge>}
    {blocked && <Badge tone="warn">Blocked by your faction</Badge>}
  </>
);

export const sumCalls = (calls: ConsentSummary["calls"]): number =>
  calls.reduce((sum, each) => sum + each.calls, 0);

type ConsentFactsProps = { consent: ConsentSummary; team: readonly string[] };

export function ConsentFacts({ consent, team }: ConsentFactsProps) {
  const { application, scopes, since, lastUsed, calls, until } = consent;
  const events = eventWordsOf(scopes.map(({ name }) => name));
  return (
    <KeyValueList
      items={[
        {
          label: "May",
          wide: true,
          value:
            scopes.length === 0 ? (
              "No permissions. It can still read public data."
            ) : (
              <ul className="grid gap-1">
                {scopes.map(({ name, title }) => (
                  <li key={name}>
                    {title} <code className="ml-1 font-mono text-xs text-ink-faint">{name}</code>
                  </li>
                ))}
              </ul>
            ),
        },
        ...(events.length === 0
          ? []
          : [{ label: "Gets events", wide: true, value: <Lines lines={events} /> }]),
        {
          label: "Website",
          value: <StoredLink href={application.clientUri} />,
        },
        ...(application.provenDomain
          ? [{ label: "Domain", value: <ProvenDomainBadge domain={application.provenDomain} /> }]
          : []),
        { label: "Owner", value: <bdi>{application.ownerName}</bdi> },
        ...(team.length === 0
          ? []
          : [{ label: "Team", wide: true, value: <bdi>{team.join(", ")}</bdi> }]),
        { label: "Since", at: since },
        { label: "Expires", at: until, never: "When you revoke it" },
        { label: "Last used", at: lastUsed },
        {
          label: "Used this week",
          value: <span className="tabular">{formatCount(sumCalls(calls), "time")}</span>,
        },
      ]}
    />
  );
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className="grid gap-1">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

export function ConsentActs({ consent }: { consent: ConsentSummary }) {
  const { consentId, application, scopes, takenAway, paused } = consent;
  const fields = { consent_id: consentId, app: application.clientId };
  return (
    <div className="flex w-full flex-wrap items-start gap-2">
      <ActButton action={paused ? "/account/apps/resume" : "/account/apps/pause"} fields={fields}>
        {paused ? "Resume" : "Pause"}
        <span className="sr-only"> {application.name}</span>
      </ActButton>
      {scopes.length > 0 && (
        <ScopeForm
          label="Edit permissions"
          title="Edit permissions"
          action="/account/apps/narrow"
          fields={fields}
          legend="Untick to remove. You can give it back here, and the app can ask you again."
          scopes={scopes}
          ticked
          submit="Save permissions"
        />
      )}
      {takenAway.length > 0 && (
        <ScopeForm
          label="Give back"
          title="Give back permissions"
          action="/account/apps/restore"
          fields={fields}
          legend="You approved these before. Tick what it may do again."
          scopes={takenAway}
          ticked={false}
          submit="Give back"
        />
      )}
      <ExpiryForm fields={fields} />
      <ConfirmButton
        label="Revoke access"
        action="/account/apps/revoke"
        fields={fields}
        consequences={`${application.name} loses access on all devices at once. It may keep data it already has.${application.privacyUri === "" ? "" : " Its privacy policy says how to get that deleted."}`}
      />
    </div>
  );
}

type ActFields = { readonly consent_id: string; readonly app: string };

type ScopeFormProps = {
  label: string;
  title: string;
  action: string;
  fields: ActFields;
  legend: string;
  scopes: ConsentSummary["scopes"];
  ticked: boolean;
  submit: string;
};

function ScopeForm({
  label,
  title,
  action,
  fields,
  legend,
  scopes,
  ticked,
  submit,
}: ScopeFormProps) {
  return (
    <DialogButton label={label} title={title}>
      <CsrfForm action={action} fields={fields} className="grid gap-4">
        {/* Lists the boxes shown, so that a scope allowed meanwhile does not count as unticked. */}
        {ticked &&
          scopes.map(({ name }) => <input key={name} type="hidden" name="shown" value={name} />)}
        <fieldset className="grid gap-3">
          <legend className="mb-3">{legend}</legend>
          {scopes.map(({ name, title: scope, grants }) => (
            <Checkbox
              key={name}
              id={`${action}-${fields.consent_id}-${name}`}
              name="scope"
              value={name}
              defaultChecked={ticked}
              label={scope}
              hint={grants}
            />
          ))}
        </fieldset>
        <div>
          <Button type="submit" size="sm">
            {submit}
          </Button>
        </div>
      </CsrfForm>
    </DialogButton>
  );
}

const expiries = [
  { value: "revoked", label: "When I revoke it" },
  { value: "month", label: "In 30 days" },
  { value: "day", label: "In 24 hours" },
] as const;

const ExpiryForm = ({ fields }: { fields: ActFields }) => (
  <DialogButton label="Change expiry" title="When does its access expire?">
    <CsrfForm action="/account/apps/expiry" fields={fields} className="grid gap-4">
      <fieldset className="grid gap-2">
        <legend className="sr-only">Its access expires</legend>
        {expiries.map(({ value, label }) => (
          <label key={value} className="flex min-h-7 items-center gap-2">
            <input
              type="radio"
              name="until"
              value={value}
              required
              className="size-4 flex-none accent-accent"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div>
        <Button type="submit" size="sm">
          Save
        </Button>
      </div>
    </CsrfForm>
  </DialogButton>
);

const done = {
  paused: "The application is paused. It can do nothing in your name until you resume it.",
  resumed: "The application is resumed, with the same permissions as before.",
  narrowed: "Permissions saved. What you removed no longer works on any device.",
  restored: "Permissions given back. They work again on every device.",
  expiry: "Expiry changed.",
  revoked: "Access revoked. It can no longer do anything in your name.",
};
const wrong = {
  none: "Nothing changed: tick the applications to revoke first.",
  gone: "Nothing changed: the application's access had already ended.",
};

export const DoneAlert = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
