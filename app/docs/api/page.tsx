import type { Metadata } from "next";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { apiPrefix } from "#server/machine-path";
import { braced } from "#server/rest/path";
import { routes, tags } from "#server/routes";
import { referencePath } from "../_parts/describe-endpoint";
import { DocSection } from "../_parts/doc-page";

export const metadata: Metadata = { title: "Endpoints" };

export default function Endpoints() {
  return (
    <div className="grid gap-10">
      <PageHeader
        title="Endpoints"
        lead={
          <>
            All endpoints, generated from the service itself. Also available as an{" "}
            <TextLink href="/api/openapi.json" document>
              OpenAPI 3.1 document
            </TextLink>
            .
          </>
        }
      />
      {tags.map(({ name, description }) => (
        <DocSection key={name} id={name.toLowerCase()} title={name}>
          <p className="text-ink-soft">{description}</p>
          <Card flush>
            <DataTable
              caption={name}
              rows={routes.filter(({ tag }) => tag === name)}
              rowKey={({ method, path }) => method + path}
              columns={[
                {
                  key: "title",
                  header: "Endpoint",
                  primary: true,
                  cell: (endpoint) => (
                    <span className="flex flex-wrap items-center gap-2">
                      <TextLink href={referencePath(endpoint)} className="font-medium">
                        {endpoint.title}
                      </TextLink>
                      {endpoint.deprecated && <Badge tone="warn">Deprecated</Badge>}
                    </span>
                  ),
                },
                {
                  key: "path",
                  header: "Path",
                  prose: true,
                  cell: ({ method, path }) => (
                    <code className="font-mono text-xs wrap-anywhere">
                      {method} {apiPrefix}
                      {braced(path)}
                    </code>
                  ),
                },
                {
                  key: "scopes",
                  header: "Scopes",
                  cell: ({ scopes }) =>
                    scopes.length === 0 ? (
                      <span className="text-ink-faint">none</span>
                    ) : (
                      <code className="font-mono text-xs">{scopes.join(" ")}</code>
                    ),
                },
              ]}
            />
          </Card>
        </DocSection>
      ))}
    </div>
  );
}
