import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { AskingSummary } from "#app/_ui/asking-summary.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Checkbox } from "#app/_ui/controls.tsx";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";

type Props = {
  scopes: ConsentSummary["scopes"];
  fields: { readonly consent_id: string; readonly app: string | undefined };
};

/** The permissions of an application with a box each: what is unticked, it loses. A details element, so that it needs no script. */
export function NarrowForm({ scopes, fields }: Props) {
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
