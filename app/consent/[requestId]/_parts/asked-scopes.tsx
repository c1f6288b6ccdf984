import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { ScopeIcon } from "#app/_parts/scope-icon.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ScopeList } from "#app/_ui/scope-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import { eventsWith } from "#server/event-types";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import { covers, type ScopeName, scopes } from "#server/scopes";

/** Allowed before, so listed without a box. */
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

type AskedScopesProps = {
  view: ConsentView;
  /** Id of the decision form. */
  form: string;
  /** Stored data by scope. */
  previews: Partial<Record<ScopeName, ReactNode>>;
};

/** Each with the reader's stored data. */
export function AskedScopes({ view, form, previews }: AskedScopesProps) {
  const { asked, optional, allowed, earlier, application } = view;
  if (asked.length === 0 && allowed.length === 0) {
    return (
      <Card title="It asks for no permission">
        <p className="text-ink-soft">
          <bdi>{application.name}</bdi> will be able to call endpoints that need no permission, such
          as members of factions and stocks. It learns nothing about you.
        </p>
      </Card>
    );
  }
  if (asked.length === 0) return null;
  const held = earlier?.scopes ?? [];
  // Implied by another scope and not optional, so it is listed there.
  const entries = asked.filter(
    ({ name }) => optional.includes(name) || !comesWithAnother(name, view),
  );
  return (
    <Card
      dense
      title={
        allowed.length > 0
          ? `New: ${application.name} will also be able to`
          : `${application.name} will be able to`
      }
      description={
        <>
          With the data it would see today.
          {optional.length > 0 &&
            " You may untick optional ones: the application works without them."}
          {optional.some((scope) => covers(held, scope)) &&
            " It loses what you untick on every device."}
        </>
      }
    >
      <ScopeList
        form={form}
        items={entries.map((scope) => ({
          name: scope.name,
          icon: <ScopeIcon scope={scope.name} />,
          title: (
            <span className="flex flex-wrap items-center gap-x-2">
              {scope.title}
              {optional.includes(scope.name) && <Badge>Optional</Badge>}
              {covers(held, scope.name) && <Badge tone="good">Allowed before</Badge>}
            </span>
          ),
          body: comesWithAnother(scope.name, view) ? (
            <>{scope.grants} Included in “All your faction's data” while that is ticked.</>
          ) : (
            <>
              {scope.grants}
              <Covered by={scope.name} />
            </>
          ),
          events: eventsWith([scope.name]),
          preview: previews[scope.name] ?? (
            <span className="text-ink-faint">Nothing stored yet.</span>
          ),
          choice: optional.includes(scope.name)
            ? "optional"
            : optional.length > 0
              ? "fixed"
              : undefined,
        }))}
      />
    </Card>
  );
}

const comesWithAnother = (name: ScopeName, { asked }: ConsentView): boolean =>
  asked.some((other) => other.name !== name && covers([other.name], name));

/** Requested by name or not. */
function Covered({ by }: { by: ScopeName }) {
  const covered = scopes.filter(({ name }) => name !== by && covers([by], name));
  if (covered.length === 0) return null;
  return (
    <ul className="mt-1 grid gap-0.5" aria-label="Covers">
      {covered.map(({ name, title }) => (
        <li key={name} className="flex items-start gap-2">
          <Check className="mt-1 size-3.5 flex-none text-good" aria-hidden="true" />
          {title}
        </li>
      ))}
    </ul>
  );
}
