import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { portalContext } from "#app/_lib/caller";
import type { PageProps } from "#app/_lib/search-params";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { eventTypes } from "#server/event-types";
import {
  audienceOf,
  eventSchemaName,
  exampleEvent,
  zodSchemaOf,
} from "#server/events/event-documents";
import { apiPrefix } from "#server/machine-path";
import { jsonSchemaOf, type NamedSchemas } from "#server/rest/json-schema";
import { compileRouter } from "#server/rest/router";
import { routes } from "#server/routes";
import { referencePath, schemaFields } from "../../_parts/describe-endpoint";
import { DocSection, FieldTable } from "../../_parts/doc-page";
import { audienceSentences } from "../../_parts/guide-values";
import { InlineCode, WithCode } from "../../_parts/with-code";

const findType = (name: string) => eventTypes.find(({ type }) => type === name);
const find = compileRouter(routes, apiPrefix);

export async function generateMetadata({ params }: PageProps<"type">): Promise<Metadata> {
  return { title: findType((await params).type)?.title ?? "No such event" };
}

export default async function EventTypePage({ params }: PageProps<"type">) {
  const type = findType((await params).type);
  if (!type) notFound();
  const { baseUrl } = (await portalContext()).context.settings;
  const example = exampleEvent(type, baseUrl);
  const { href } = example.data;
  const route =
    href === undefined ? undefined : find(new URL(href).pathname)?.route.methods.get("GET");
  const named: NamedSchemas = new Map();
  // A record's fields are listed on its endpoint's page.
  const fields = schemaFields(jsonSchemaOf(zodSchemaOf(type), named), named).filter(
    ({ name }) => !/^record\W/.test(name),
  );
  return (
    <div className="grid gap-10">
      <PageHeader
        title={type.title}
        trail={[{ label: "Events", href: "/docs/events" }]}
        lead={<WithCode text={type.description} />}
      />
      <Card>
        <KeyValueList
          items={[
            {
              label: "Type",
              copy: type.type,
            },
            {
              label: "Scope",
              value: type.scope ? (
                <span className="flex flex-wrap items-center gap-1.5">
                  <Badge tone="accent">{type.scope}</Badge>
                  {type.scope.startsWith("faction:") && (
                    <span className="text-sm text-ink-soft">or faction</span>
                  )}
                </span>
              ) : (
                "None"
              ),
            },
            { label: "Sent to", wide: true, value: audienceSentences[audienceOf(type)] },
            {
              label: "Record",
              wide: true,
              value: route ? (
                <TextLink href={referencePath(route)}>{route.title}</TextLink>
              ) : (
                "None"
              ),
            },
            {
              label: "expand=record",
              wide: true,
              value: type.record ? "Carries the record" : "Adds nothing",
            },
            {
              label: "JSON Schema",
              wide: true,
              value: (
                <>
                  <InlineCode>{`#/components/schemas/${eventSchemaName(type)}`}</InlineCode> in the{" "}
                  <TextLink href="/api/openapi.json" document>
                    OpenAPI
                  </TextLink>{" "}
                  and{" "}
                  <TextLink href="/api/asyncapi.json" document>
                    AsyncAPI
                  </TextLink>{" "}
                  documents
                </>
              ),
            },
          ]}
        />
      </Card>
      <DocSection id="example" title="Example">
        <CodeBlock title={type.type} language="json" code={JSON.stringify(example, null, 2)} />
      </DocSection>
      <DocSection id="fields" title="Fields">
        <FieldTable caption="Fields of the event" fields={fields} />
      </DocSection>
    </div>
  );
}
