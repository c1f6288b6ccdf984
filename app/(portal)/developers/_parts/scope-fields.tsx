import { scopes } from "#server/scopes";
import { Checkbox } from "#ui/checkbox";
import type { ApplicationForm } from "./use-application-form";

/** What the application may ask players for. None to begin with. */
export function ScopeFields({ form }: { form: ApplicationForm }) {
  const { scopes: chosen } = form.draft;
  return (
    <fieldset>
      <legend className="text-sm font-medium">Scopes it may ask for</legend>
      <p className="mt-0.5 text-sm text-ink-faint">
        Choose the fewest: players see each one, and may leave over one too many. Without any it can still call what
        needs no scope.
      </p>
      <div className="mt-3 grid gap-3">
        {scopes.map(({ name, title, grants }) => {
          const covered = name.startsWith("faction:") && chosen.includes("faction");
          return (
            <Checkbox
              key={name}
              name="scopes"
              id={`scope-${name}`}
              value={name}
              checked={chosen.includes(name)}
              onChange={(event) =>
                form.change({
                  scopes: event.target.checked ? [...chosen, name] : chosen.filter((other) => other !== name),
                })
              }
              label={
                <>
                  {title} <code className="ml-1 font-mono text-xs text-ink-faint">{name}</code>
                </>
              }
              hint={covered ? `${grants} Covered by faction already.` : grants}
            />
          );
        })}
      </div>
      {form.faults.scopes && <p className="mt-2 text-sm text-bad">{form.faults.scopes}</p>}
    </fieldset>
  );
}
