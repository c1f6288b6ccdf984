import type { ReactNode } from "react";
import { ScopeIcon } from "#parts/scope-icon";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import type { ScopeName } from "#server/scopes";
import { Badge } from "#ui/badge";
import { Card } from "#ui/card";
import { ScopeList } from "#ui/scope-list";

type Props = {
  view: ConsentView;
  /** What each scope would open right now, of what is stored. */
  previews: Partial<Record<ScopeName, ReactNode>>;
};

/** What is asked for, one entry for each scope, with the reader's own stored data that it opens. */
export function AskedScopes({ view, previews }: Props) {
  const { scopes, newScopes, application } = view;
  if (scopes.length === 0) {
    return (
      <Card title="It asks for no permission">
        <p className="text-ink-soft">
          {application.name} would be able to call what needs a sign-in but no permission: members of factions, stocks
          and the like. It learns nothing about you.
        </p>
      </Card>
    );
  }
  const partly = newScopes.length > 0 && newScopes.length < scopes.length;
  return (
    <Card
      title={`${application.name} would be able to`}
      description="Below each permission stands what it opens of your data, as it is stored now."
    >
      <ScopeList
        items={scopes.map((scope) => ({
          name: scope.name,
          icon: <ScopeIcon scope={scope.name} />,
          title: (
            <>
              {scope.title}
              {partly && newScopes.includes(scope.name) && (
                <span className="ml-2">
                  <Badge tone="warn">New</Badge>
                </span>
              )}
            </>
          ),
          body: scope.grants,
          preview: previews[scope.name] ?? <span className="text-ink-faint">Nothing of this is stored yet.</span>,
        }))}
      />
    </Card>
  );
}
