import type { Metadata } from "next";
import { SiteFrame } from "#parts/site-frame";
import { failureKinds } from "#server/failures";
import { readSettings } from "#server/platform/env";
import { apiPrefix, routes } from "#server/routes";
import { scopes } from "#server/scopes";
import { Badge } from "#ui/badge";
import { DataTable } from "#ui/data-table";
import { LinkButton } from "#ui/link-button";
import { PageHeader } from "#ui/page-header";
import { TextLink } from "#ui/text-link";
import { Authorization } from "./_parts/authorization";
import { Section } from "./_parts/section";

export const metadata: Metadata = { title: "Documentation" };

const sections = [
  { id: "first-steps", title: "First steps" },
  { id: "authorization", title: "Authorization" },
  { id: "scopes", title: "Scopes" },
  { id: "endpoints", title: "Endpoints" },
  { id: "errors", title: "Errors" },
  { id: "limits", title: "Limits" },
] as const;

const frame = "overflow-clip rounded-card border border-line bg-surface";

export default function Documentation() {
  const settings = readSettings();
  return (
    <SiteFrame>
      <PageHeader
        title="Documentation"
        lead="What an application needs to call the API in a player's name."
        actions={<LinkButton href="/api/openapi.json">OpenAPI document</LinkButton>}
      />
      <div className="mt-8 grid gap-10 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <nav aria-label="Sections" className="max-lg:hidden">
          <ul className="sticky top-6 grid gap-1.5 text-sm">
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`} className="rounded-tag text-ink-soft hover:text-ink hover:underline">
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 gap-10">
          <Section id="first-steps" title="First steps">
            <ol className="grid max-w-prose list-decimal gap-1.5 pl-5 text-ink-soft marker:text-ink-faint">
              <li>
                <TextLink href="/developers/new">Register an application.</TextLink> With a secret if it runs on a
                server of yours; public if it runs on the player's device.
              </li>
              <li>Send the player to the authorization address with the scopes that you need.</li>
              <li>Exchange the code that comes back for an access token.</li>
              <li>
                Call any endpoint below with <code className="font-mono text-sm">Authorization: Bearer …</code>, or{" "}
                <TextLink href="/developers/playground">try the whole way from the browser</TextLink>.
              </li>
            </ol>
          </Section>
          <Authorization />
          <Section id="scopes" title="Scopes">
            <div className={frame}>
              <DataTable
                caption="Scopes"
                rows={scopes}
                rowKey={(scope) => scope.name}
                columns={[
                  {
                    key: "name",
                    header: "Name",
                    primary: true,
                    cell: (scope) => <code className="font-mono">{scope.name}</code>,
                  },
                  { key: "grants", header: "What the player reads", prose: true, cell: (scope) => scope.grants },
                ]}
              />
            </div>
          </Section>
          <Section id="endpoints" title="Endpoints">
            <div className={frame}>
              <DataTable
                caption="Endpoints"
                rows={routes}
                rowKey={(route) => `${route.method} ${route.path}`}
                columns={[
                  {
                    key: "path",
                    header: "Endpoint",
                    primary: true,
                    cell: (route) => (
                      <>
                        <span className="block font-medium">{route.title}</span>
                        <code className="font-mono text-xs text-ink-soft wrap-anywhere">
                          {route.method} {apiPrefix}
                          {route.path}
                        </code>
                      </>
                    ),
                  },
                  {
                    key: "scopes",
                    header: "Scopes",
                    cell: (route) =>
                      route.scopes.length === 0
                        ? "none"
                        : route.scopes.map((scope) => <Badge key={scope}>{scope}</Badge>),
                  },
                ]}
              />
            </div>
          </Section>
          <Section id="errors" title="Errors">
            <p className="max-w-prose text-ink-soft">
              Every error is <code className="font-mono text-sm">{"{ code, name, message, details? }"}</code>, and every
              answer has an <code className="font-mono text-sm">X-Request-Id</code> to name it by.
            </p>
            <div className={frame}>
              <DataTable
                caption="Errors"
                rows={failureKinds}
                rowKey={(kind) => `${kind.code} ${kind.status}`}
                columns={[
                  {
                    key: "name",
                    header: "Name",
                    primary: true,
                    cell: (kind) => <code className="font-mono">{kind.name}</code>,
                  },
                  { key: "code", header: "Code", numeric: true, cell: (kind) => kind.code },
                  { key: "status", header: "Status", numeric: true, cell: (kind) => kind.status },
                  { key: "message", header: "Meaning", prose: true, cell: (kind) => kind.message },
                ]}
              />
            </div>
          </Section>
          <Section id="limits" title="Limits">
            <p className="max-w-prose text-ink-soft">
              {settings.rates.holder} calls a minute for each player of an application. Every answer says where one
              stands, in <code className="font-mono text-sm">X-RateLimit-Limit</code>,{" "}
              <code className="font-mono text-sm">X-RateLimit-Remaining</code> and{" "}
              <code className="font-mono text-sm">X-RateLimit-Reset</code> (seconds). Rely on these, not on the number.
              After a 429, wait as long as <code className="font-mono text-sm">Retry-After</code> says.
            </p>
          </Section>
        </div>
      </div>
    </SiteFrame>
  );
}
