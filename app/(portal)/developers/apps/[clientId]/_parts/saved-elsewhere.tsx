import { visibleText } from "#app/_lib/visible-text";
import { Alert } from "#app/_ui/alert.tsx";
import type { SavedElsewhere } from "#app/(portal)/developers/_parts/merge-drafts";

/** What was saved elsewhere while the form was open, field by field. */
export function SavedElsewhereAlert({ changes }: { changes: readonly SavedElsewhere[] | undefined }) {
  if (!changes) return null;
  return (
    <Alert tone="warn" title="This application changed while you were editing it" live>
      <p>
        Nothing was saved. Your input is kept, and all other fields show the current values. Check them, then save
        again.
      </p>
      {changes.length > 0 && (
        <ul className="mt-2 grid gap-1">
          {changes.map(({ label, now, keptHere }) => (
            <li key={label}>
              <strong className="font-medium">{label}</strong>:{" "}
              {now === "" ? "now empty" : <>now {now.split("\n").map(visibleText).join(", ")}</>}
              {keptHere && " · you changed this too; see below"}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
