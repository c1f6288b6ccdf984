import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { caller, portalContext } from "#app/_lib/caller";
import { currentUser } from "#app/_lib/current-user";
import { formatDay } from "#app/_lib/format";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { signInPath } from "#app/_lib/sign-in-path";
import { CsrfMeta } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { CodeTabs } from "#app/_ui/code-tabs.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { failuresOf } from "#server/rest/openapi-operation";
import {
  describeEndpoint,
  endpointOperation,
  findReferenced,
  referencePath,
} from "../../_parts/describe-endpoint";
import { DocPage, type DocPart, FailureTable, FieldTable } from "../../_parts/doc-page";
import { endpointSamples } from "../../_parts/endpoint-samples";
import { EndpointFacts, YourApplication } from "../../_parts/endpoint-sections";
import { TryIt } from "../../_parts/try-it";
import { InlineCode, WithCode } from "../../_parts/with-code";

type Props = { params: Promise<{ endpoint: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: findReferenced((await params).endpoint)?.title ?? "No such endpoint" };
}

export default async function EndpointPage({ params, searchParams }: Props) {
  const endpoint = findReferenced((await params).endpoint);
  if (!endpoint) notFound();
  const { baseUrl, rates } = (await portalContext()).context.settings;
  const { query, body, answer, exampleUrl, ...addresses } = describeEndpoint(endpoint, baseUrl);
  const samples = endpointSamples({
    method: endpoint.method,
    url: exampleUrl,
    body: body?.example,
    idempotent: endpoint.idempotent,
    answers: answer !== undefined,
  });
  const page = referencePath(endpoint);
  // Visitors without a session share one rendering.
  const own = (await currentUser()) ? await (await caller()).applications.names() : undefined;
  const asked = await readParam(searchParams, "application");
  const sections: (DocPart | false)[] = [
    query.length > 0 && {
      id: "query",
      title: "Query",
      content: <FieldTable caption="Query parameters" fields={query} />,
    },
    body !== undefined && {
      id: "body",
      title: "Body",
      content: <FieldTable caption="Fields of the body" fields={body.fields} />,
    },
    { id: "request", title: "Request", content: <CodeTabs label="Request" samples={samples} /> },
    {
      id: "answer",
      title: "Response",
      content: answer ? (
        <>
          <CodeBlock title="200 OK" language="json" code={answer.example} />
          {answer.fields.length > 0 && (
            <FieldTable caption="Fields of the response" fields={answer.fields} />
          )}
        </>
      ) : (
        <p className="text-ink-soft">204, without a body.</p>
      ),
    },
    {
      id: "try-it",
      title: "Try it",
      content: own ? (
        <>
          <CsrfMeta />
          <TryIt
            operation={endpointOperation(endpoint, baseUrl)}
            baseUrl={baseUrl}
            page={`${page}${asked === undefined ? "" : `?application=${encodeURIComponent(asked)}`}#try-it`}
            section="try-it"
            clientId={asked}
          />
        </>
      ) : (
        <p className="text-ink-soft">
          Make this call here, as one of your public applications, and see its answer.{" "}
          <LinkButton size="sm" href={signInPath({ next: `${page}#try-it` })}>
            Sign in to try it
          </LinkButton>
        </p>
      ),
    },
    {
      id: "your-application",
      title: "With your application",
      content: <YourApplication {...{ endpoint, own, asked, page, baseUrl, samples }} />,
    },
    {
      id: "errors",
      title: "Errors",
      content: (
        <FailureTable caption="What this call can fail with" failures={failuresOf(endpoint)} />
      ),
    },
  ];
  return (
    <DocPage
      title={endpoint.title}
      trail={[{ label: "Endpoints", href: "/docs/api" }]}
      lead={<WithCode text={endpoint.description} />}
      actions={
        <LinkButton href={own ? "#try-it" : signInPath({ next: `${page}#try-it` })}>
          {own ? "Try it" : "Sign in to try it"}
        </LinkButton>
      }
      sections={sections.filter((section) => section !== false)}
    >
      {endpoint.deprecated && (
        <Alert tone="warn" title="This endpoint is deprecated">
          It is deprecated since {formatDay(endpoint.deprecated.since)} and ends on{" "}
          {formatDay(endpoint.deprecated.sunset)}. Every answer says so in the headers{" "}
          <InlineCode>Deprecation</InlineCode>, <InlineCode>Sunset</InlineCode> and{" "}
          <InlineCode>Link</InlineCode>.
        </Alert>
      )}
      <EndpointFacts endpoint={endpoint} addresses={addresses} rates={rates} />
    </DocPage>
  );
}
