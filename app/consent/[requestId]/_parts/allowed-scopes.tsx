import { Check } from "lucide-react";
import { Card } from "#app/_ui/card.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ConsentView } from "#server/oauth/authorize/show-request";

/** What the request covers and the player allowed before: said, and not asked again. */
export function AllowedScopes({ view }: { view: ConsentView }) {
  const { allowed, asked, earlier, application } = view;
  if (allowed.length === 0) return null;
  return (
    <Card
      title={asked.length === 0 ? "It asks for no new permission" : "Already allowed"}
      description={
        <>
          You allowed this to <bdi>{application.name}</bdi> before.
          {earlier?.until && (
            <>
              {" "}
              It expires <Time at={earlier.until} />.
            </>
          )}{" "}
          You can change it under Connected apps.
        </>
      }
    >
      <ul className="grid gap-1.5">
        {allowed.map(({ name, title }) => (
          <li key={name} className="flex items-start gap-2.5">
            <Check className="mt-1 size-4 flex-none text-good" aria-hidden="true" />
            <span className="min-w-0">
              {title} <code className="ml-1 font-mono text-xs text-ink-faint">{name}</code>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
