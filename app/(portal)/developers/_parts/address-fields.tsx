import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import { Textarea } from "#app/_ui/textarea.tsx";
import type { ApplicationForm } from "./use-application-form";

const pages = [
  { name: "clientUri", label: "Home page", hint: "Where players learn about the application." },
  { name: "tosUri", label: "Terms of service", hint: undefined },
  {
    name: "privacyUri",
    label: "Privacy policy",
    hint: "It must say what data you collect, why, for how long, how it is deleted and who you share it with.",
  },
] as const;

/** Where codes may be sent, and the pages that a player can read before approving. */
export function AddressFields({ form }: { form: ApplicationForm }) {
  const isPublic = form.draft.kind === "public";
  return (
    <div className="grid gap-5">
      <Field
        name="redirectUris"
        label="Redirect URIs"
        required={!isPublic}
        error={form.faults.redirectUris}
        hint={
          <>
            One per line, https, at most ten, no wildcards. They must match exactly.
            {isPublic &&
              " A public application can also use the hosted callback, which shows the code: leave this empty to use it."}
          </>
        }
      >
        {(control) => (
          <Textarea
            {...control}
            code
            rows={3}
            placeholder="https://example.com/oauth/callback"
            value={form.draft.redirectUris}
            onChange={(event) => form.change({ redirectUris: event.target.value })}
          />
        )}
      </Field>
      {pages.map(({ name, label, hint }) => (
        <Field key={name} name={name} label={label} hint={hint} error={form.faults[name]}>
          {(control) => (
            <Input
              {...control}
              code
              inputMode="url"
              autoComplete="off"
              placeholder="https://"
              value={form.draft[name]}
              onChange={(event) => form.change({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}
