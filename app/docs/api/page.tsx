import type { Metadata } from "next";
import { apiPrefix, routes, tags } from "#server/routes";
import { Badge } from "#ui/badge";
import { Card } from "#ui/card";
import { DataTable } from "#ui/data-table";
import { PageHeader } from "#ui/page-header";
import { TextLink } from "#ui/text-link";
import { DocSection } from "../_parts/doc-section";
import { endpointSlug } from "../_parts/endpoint-slug";

export const metadata: Metadata = { title: "Endpoints" };

export default function Endpoints() {
  return (
    <div className="grid gap-10">
      <PageHeader
        title="Endpoints"
        lead={
          <>
            All of them, as the service itself knows them. Also as an{" "}
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
                      <TextLink href={`/docs/api/${endpointSlug(endpoint)}`} className="font-medium">
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
                      {path}
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
