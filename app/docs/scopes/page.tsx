import type { Metadata } from "next";
import { ScopeIcon } from "#app/_parts/scope-icon.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { ScopeList } from "#app/_ui/scope-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { routes } from "#server/routes";
import { type ScopeName, scopes } from "#server/scopes";
import { referencePath } from "../_parts/describe-endpoint";

export const metadata: Metadata = { title: "Scopes" };

export default function Scopes() {
  return (
    <div className="grid max-w-content gap-6">
      <PageHeader
        title="Scopes"
        lead="What a player can allow. Ask for as few as you need; some endpoints need none. “faction” includes every “faction:…” scope, not the other way round."
      />
      <Card>
        <ScopeList
          items={scopes.map(({ name, title, grants }) => ({
            name,
            icon: <ScopeIcon scope={name} />,
            title,
            body: (
              <>
                {grants} <Endpoints scope={name} />
              </>
            ),
          }))}
        />
      </Card>
      <p className="text-sm text-ink-soft">
        A call without its scope answers 403,{" "}
        <TextLink href="/docs/errors/4004">4004 InsufficientPermissions</TextLink>, and names what
        is missing.
      </p>
    </div>
  );
}

/** Derived from the endpoints. */
function Endpoints({ scope }: { scope: ScopeName }) {
  const needing = routes.filter((endpoint) => endpoint.scopes.includes(scope));
  if (needing.length === 0) return null;
  return (
    <span className="block">
      {needing.map((endpoint, index) => (
        <span key={endpoint.title}>
          {index > 0 && ", "}
          <TextLink href={referencePath(endpoint)}>{endpoint.title}</TextLink>
        </span>
      ))}
    </span>
  );
}
