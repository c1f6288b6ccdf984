import type { SearchParams } from "#app/_lib/search-params";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { AskingSummary } from "#app/_ui/asking-summary.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Checkbox } from "#app/_ui/controls.tsx";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";

type Props = {
  consent: ConsentSummary;
  /** Set on the application's own page, so that an act leads back there. */
  app?: string;
};

/** What a player can do about an application: stop it for a while, take permissions away, or end it. Needs no script. */
export function ConsentActs({ consent, app }: Props) {
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
        consequences={`${application.name} loses access on all devices at once. What it has read already it may still have${application.privacyUri === "" ? "" : ": its privacy policy says how to have it deleted"}.`}
      />
    </div>
  );
}

type NarrowFormProps = {
  scopes: ConsentSummary["scopes"];
  fields: { readonly consent_id: string; readonly app: string | undefined };
};

/** The permissions of an application with a box each: what is unticked, it loses. A details element, so that it needs no script. */
function NarrowForm({ scopes, fields }: NarrowFormProps) {
  return (
    <details className="group open:w-full">
      <AskingSummary label="Edit permissions" />
      <CsrfForm
        action="/account/apps/narrow"
        fields={fields}
        className="grid gap-4 rounded-control border border-line bg-surface p-4 text-sm text-ink"
      >
        {/* What has a box here, so that a permission allowed since then is not taken for one that was unticked. */}
        {scopes.map(({ name }) => (
          <input key={name} type="hidden" name="shown" value={name} />
        ))}
        <fieldset className="grid gap-3">
          <legend className="mb-3">
            Untick what it should no longer do, on any device. It can ask again, and you can say no.
          </legend>
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
    </details>
  );
}

const done = {
  paused: "The application is paused. Its calls are refused until you resume it.",
  resumed: "The application is resumed, with the same permissions as before.",
  narrowed: "Permissions saved. What you removed no longer works on any device.",
  revoked: "Access revoked. Its tokens no longer work.",
};
const wrong = { gone: "Nothing changed: the application's access had already ended." };

/** What the form of a connected application did that led here. */
export const DoneAlert = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
