import { BadgeCheck } from "lucide-react";
import { formatNumber } from "#app/_lib/format";
import type { SearchParams } from "#app/_lib/search-params";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { StoredAddress } from "#app/_parts/external-links.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { AskingDialog } from "#app/_ui/asking-dialog.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/field.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { eventsWith } from "#server/event-types";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";

export function ConnectedApp({ consent }: { consent: ConsentSummary }) {
  const { application, paused } = consent;
  return (
    <Card
      title={
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={application.name} size="sm" shape="square" />
          <TextLink
            href={`/account/apps/${application.clientId}`}
            plain
            className="min-w-0 wrap-anywhere hover:underline"
          >
            <bdi>{application.name}</bdi>
          </TextLink>
        </span>
      }
      actions={<ConsentBadges application={application} paused={paused} />}
      footer={<ConsentActs consent={consent} />}
    >
      <ConsentFacts consent={consent} />
      <p className="mt-4 text-sm">
        <TextLink href={`/account/apps/${application.clientId}`}>
          What it did in your name<span className="sr-only">: {application.name}</span>
        </TextLink>
      </p>
    </Card>
  );
}

type ConsentBadgesProps = { application: ConsentSummary["application"]; paused: boolean };

export function ConsentBadges({ application, paused }: ConsentBadgesProps) {
  return (
    <>
      {application.suspended && <Badge tone="bad">Suspended</Badge>}
      {paused && <Badge tone="warn">Paused</Badge>}
      {application.verified && (
        <Badge tone="good" icon={<BadgeCheck aria-hidden="true" />}>
          Verified
        </Badge>
      )}
    </>
  );
}

/** Scopes, dates and use. */
export function ConsentFacts({ consent }: { consent: ConsentSummary }) {
  const { application, scopes, since, lastUsed, callsThisWeek, until } = consent;
  const events = eventsWith(scopes.map(({ name }) => name));
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
          value: <StoredAddress href={application.clientUri} />,
        },
        { label: "Registered by", value: <bdi>{application.ownerName}</bdi> },
        { label: "Since", value: <Time at={since} /> },
        { label: "Until", value: until ? <Time at={until} /> : "You revoke it" },
        {
          label: "Last used",
          value: lastUsed ? <Time at={lastUsed} /> : "No call in the last 30 days",
        },
        {
          label: "Calls this week",
          value: <span className="tabular">{formatNumber(callsThisWeek)}</span>,
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

type ConsentActsProps = {
  consent: ConsentSummary;
  /** Set on the application's own page, so that a form leads back there. */
  app?: string;
};

/** Works without script. */
export function ConsentActs({ consent, app }: ConsentActsProps) {
  const { consentId, application, scopes, paused } = consent;
  const fields = { consent_id: consentId, app };
  return (
    <div className="flex w-full flex-wrap items-start gap-2">
      <CsrfForm action={paused ? "/account/apps/resume" : "/account/apps/pause"} fields={fields}>
        <Button type="submit" size="sm">
          {paused ? "Resume" : "Pause"}
          <span className="sr-only"> {application.name}</span>
        </Button>
      </CsrfForm>
      {scopes.length > 0 && <NarrowForm scopes={scopes} fields={fields} />}
      <Confirmation
        label="Revoke access"
        action="/account/apps/revoke"
        fields={fields}
        consequences={`${application.name} loses access on all devices at once. It may keep data it already has.${application.privacyUri === "" ? "" : " Its privacy policy says how to get that deleted."}`}
      />
    </div>
  );
}

type NarrowFormProps = {
  scopes: ConsentSummary["scopes"];
  fields: { readonly consent_id: string; readonly app: string | undefined };
};

/** Unticked scopes are removed. Works without script. */
function NarrowForm({ scopes, fields }: NarrowFormProps) {
  return (
    <AskingDialog label="Edit permissions" title="Edit permissions">
      <CsrfForm action="/account/apps/narrow" fields={fields} className="grid gap-4">
        {/* Lists the boxes shown, so that a scope allowed meanwhile does not count as unticked. */}
        {scopes.map(({ name }) => (
          <input key={name} type="hidden" name="shown" value={name} />
        ))}
        <fieldset className="grid gap-3">
          <legend className="mb-3">Untick to remove. The app can ask you again.</legend>
          {scopes.map(({ name, title, grants }) => (
            <Checkbox
              key={name}
              id={`${fields.consent_id}-${name}`}
              name="scope"
              value={name}
              defaultChecked
              label={title}
              hint={grants}
            />
          ))}
        </fieldset>
        <div>
          <Button type="submit" size="sm">
            Save permissions
          </Button>
        </div>
      </CsrfForm>
    </AskingDialog>
  );
}

const done = {
  paused: "The application is paused. Its calls are refused until you resume it.",
  resumed: "The application is resumed, with the same permissions as before.",
  narrowed: "Permissions saved. What you removed no longer works on any device.",
  revoked: "Access revoked. Its tokens no longer work.",
};
const wrong = { gone: "Nothing changed: the application's access had already ended." };

export const DoneAlert = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
