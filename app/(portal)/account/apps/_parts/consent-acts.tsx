import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";
import { NarrowForm } from "./narrow-form";

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
