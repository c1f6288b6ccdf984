import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { missingForPlayers } from "#server/oauth/clients/completeness";
import type { ApplicationView } from "#server/oauth/clients/own-applications";

type Props = {
  application: ApplicationView;
  /** Where it is said; absent on that very page. */
  settings?: string;
};

/** What is missing before other players than the owner can approve an application. */
export function InTest({ application, settings }: Props) {
  const missing = missingForPlayers(application.kind, application);
  if (missing.length === 0) return null;
  return (
    <Alert
      tone="warn"
      title="In test: only you can approve it"
      actions={
        settings && (
          <LinkButton href={settings} size="sm">
            Open it to players
          </LinkButton>
        )
      }
    >
      Before other players can, say in the settings:
      <ul className="mt-1 grid list-disc gap-x-6 pl-5 sm:grid-cols-2">
        {missing.map(({ field, label }) => (
          <li key={field}>{label}</li>
        ))}
      </ul>
    </Alert>
  );
}
