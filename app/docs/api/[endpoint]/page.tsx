import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { portalContext } from "#app/_lib/caller";
import { Alert } from "#app/_ui/alert.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { CodeTabs } from "#app/_ui/code-tabs.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { failuresOf } from "#server/rest/openapi-operation";
import { describeEndpoint, findEndpoint } from "../../_parts/describe-endpoint";
import { DocSection } from "../../_parts/doc-section";
import { EndpointFacts } from "../../_parts/endpoint-facts";
import { endpointSamples } from "../../_parts/endpoint-samples";
import { FailureTable, FieldTable } from "../../_parts/field-table";
import { InlineCode, WithCode } from "../../_parts/with-code";

const onDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

type Props = { params: Promise<{ endpoint: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: findEndpoint((await params).endpoint)?.title ?? "No such endpoint" };
}

/** Everything there is to know of one endpoint, read from the endpoint itself. */
export default async function EndpointPage({ params }: Props) {
  const endpoint = findEndpoint((await params).endpoint);
  if (!endpoint) notFound();
  const { baseUrl } = (await portalContext()).context.settings;
  const { query, body, answer, exampleUrl, ...addresses } = describeEndpoint(endpoint, baseUrl);
  const { method, idempotent } = endpoint;
  const answers = answer !== undefined;
  const samples = endpointSamples({ method, url: exampleUrl, body: body?.example, idempotent, answers });
  return (
    <div className="grid max-w-200 gap-10">
      <PageHeader
        title={endpoint.title}
        trail={[{ label: "Endpoints", href: "/docs/api" }]}
        lead={<WithCode text={endpoint.description} />}
        actions={<LinkButton href="/developers/playground">Try it</LinkButton>}
      />
      {endpoint.deprecated && (
        <Alert tone="warn" title="This endpoint is deprecated">
          It is deprecated since {onDay.format(endpoint.deprecated.since)} and ends on{" "}
          {onDay.format(endpoint.deprecated.sunset)}. Every answer says so in the headers{" "}
          <InlineCode>Deprecation</InlineCode>, <InlineCode>Sunset</InlineCode> and <InlineCode>Link</InlineCode>.
        </Alert>
      )}
      <EndpointFacts endpoint={endpoint} addresses={addresses} />
      {query.length > 0 && (
        <DocSection id="query" title="Query">
          <FieldTable caption="Query parameters" fields={query} />
        </DocSection>
      )}
      {body && (
        <DocSection id="body" title="Body">
          <FieldTable caption="Fields of the body" fields={body.fields} />
        </DocSection>
      )}
      <DocSection id="request" title="Request">
        <CodeTabs label="Request" samples={samples} />
      </DocSection>
      <DocSection id="answer" title="Answer">
        {answer ? (
          <>
            <CodeBlock title="200 OK" language="json" code={answer.example} />
            {answer.fields.length > 0 && <FieldTable caption="Fields of the answer" fields={answer.fields} />}
          </>
        ) : (
          <p className="text-ink-soft">204, without a body.</p>
        )}
      </DocSection>
      <DocSection id="errors" title="Errors">
        <FailureTable caption="What this call can fail with" failures={failuresOf(endpoint)} />
      </DocSection>
    </div>
  );
}
