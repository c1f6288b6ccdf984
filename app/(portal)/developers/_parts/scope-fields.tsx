import { Checkbox } from "#app/_ui/checkbox.tsx";
import { type ScopeName, scopes } from "#server/scopes";
import type { ApplicationForm } from "./use-application-form";

const toggled = (names: readonly ScopeName[], name: ScopeName, on: boolean): ScopeName[] =>
  on ? [...names, name] : names.filter((other) => other !== name);

/** What the application may ask players for, and which of it they may leave out. None to begin with. */
export function ScopeFields({ form }: { form: ApplicationForm }) {
  const { scopes: chosen, optionalScopes: optional } = form.draft;
  return (
    <fieldset>
      <legend className="text-sm font-medium">Scopes it may ask for</legend>
      <p className="mt-0.5 text-sm text-ink-faint">
        Choose as few as possible: asking for too much puts players off. Mark a scope as optional if your application
        works without it: players may then untick it and still approve. Some endpoints need no scope.
      </p>
      <div className="mt-3 grid gap-3">
        {scopes.map(({ name, title, grants }) => {
          const covered = name.startsWith("faction:") && chosen.includes("faction");
          return (
            <div key={name} className="grid gap-1.5">
              <Checkbox
                name="scopes"
                id={`scope-${name}`}
                value={name}
                checked={chosen.includes(name)}
                onChange={(event) => form.change({ scopes: toggled(chosen, name, event.target.checked) })}
                label={
                  <>
                    {title} <code className="ml-1 font-mono text-xs text-ink-faint">{name}</code>
                  </>
                }
                hint={covered ? `${grants} Already included in faction.` : grants}
              />
              {chosen.includes(name) && (
                <Checkbox
                  name="optionalScopes"
                  id={`optional-${name}`}
                  value={name}
                  className="ml-6.5 text-sm"
                  checked={optional.includes(name)}
                  onChange={(event) => form.change({ optionalScopes: toggled(optional, name, event.target.checked) })}
                  label={
                    <>
                      Optional<span className="sr-only">: {name}</span>
                    </>
                  }
                />
              )}
            </div>
          );
        })}
      </div>
      {(form.faults.scopes ?? form.faults.optionalScopes) && (
        <p className="mt-2 text-sm text-bad">{form.faults.scopes ?? form.faults.optionalScopes}</p>
      )}
    </fieldset>
  );
}
