import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { caller, portalContext } from "#app/_lib/caller";
import { currentUser } from "#app/_lib/current-user";
import { formatDate, formatDuration } from "#app/_lib/format";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { signInPath } from "#app/_lib/sign-in-path";
import { callSnippets } from "#app/_parts/client-snippets.tsx";
import { CsrfMeta } from "#app/_parts/csrf-form.tsx";
import { holdsScope } from "#app/_parts/playground/call-endpoint";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock, CodeTabs } from "#app/_ui/code-block.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationChoice } from "#server/oauth/clients/own-applications";
import type { RateLimits } from "#server/platform/environment-variables";
import type { Endpoint } from "#server/rest/endpoint";
import { failuresOf } from "#server/rest/openapi-operation";
import {
  callableEndpointOf,
  describeEndpoint,
  type EndpointDescription,
  findEndpointBySlug,
  referencePath,
} from "../../_parts/describe-endpoint";
import { DocPage, type DocPart, FailureTable, FieldTable } from "../../_parts/doc-page";
import { type EndpointSamples, endpointSamples } from "../../_parts/endpoint-samples";
import { TryIt } from "../../_parts/try-it";
import { InlineCode, WithCode } from "../../_parts/with-code";

export async function generateMetadata({ params }: PageProps<"endpoint">): Promise<Metadata> {
  return { title: findEndpointBySlug((await params).endpoint)?.title ?? "No such endpoint" };
}

export default async function EndpointPage({ params, searchParams }: PageProps<"endpoint">) {
  const endpoint = findEndpointBySlug((await params).endpoint);
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
            endpoint={callableEndpointOf(endpoint)}
            baseUrl={baseUrl}
            page={`${page}${asked === undefined ? "" : `?application=${encodeURIComponent(asked)}`}#try-it`}
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
          It is deprecated since {formatDate(endpoint.deprecated.since)} and ends on{" "}
          {formatDate(endpoint.deprecated.sunset)}. Every answer says so in the headers{" "}
          <InlineCode>Deprecation</InlineCode>, <InlineCode>Sunset</InlineCode> and{" "}
          <InlineCode>Link</InlineCode>.
        </Alert>
      )}
      <EndpointFacts endpoint={endpoint} addresses={addresses} rates={rates} />
    </DocPage>
  );
}

type EndpointFactsProps = {
  endpoint: Endpoint;
  addresses: Pick<EndpointDescription, "path" | "alias" | "pathParameters">;
  rates: RateLimits;
};

function EndpointFacts({ endpoint, addresses, rates }: EndpointFactsProps) {
  const { method, scopes, limit, cache, etag, idempotent } = endpoint;
  const { path, alias, pathParameters } = addresses;
  const address = (text: string) => (
    <code className="text-sm">
      <strong className="font-semibold">{method}</strong> {text}
    </code>
  );
  return (
    <Card>
      <KeyValueList
        items={[
          { label: "Path", value: address(path), copy: path },
          ...(alias ? [{ label: "Also at", value: address(alias), copy: alias }] : []),
          ...pathParameters.map(({ name, kind, description }) => ({
            label: name,
            value: `${description} ${kind === "int" ? "An integer from 1 up." : "Text."}`.trim(),
          })),
          {
            label: "Scopes",
            wide: true,
            value:
              scopes.length === 0 ? (
                "None; any live token works"
              ) : (
                <span className="flex flex-wrap items-center gap-1.5">
                  {scopes.map((scope) => (
                    <Badge key={scope} tone="accent">
                      {scope}
                    </Badge>
                  ))}
                  {scopes.some((scope) => scope.startsWith("faction:")) && (
                    <span className="text-sm text-ink-soft">or faction</span>
                  )}
                </span>
              ),
          },
          {
            label: "Limit",
            wide: true,
            value: (
              <>
                {limit ? `${rates[limit.setting]} a minute, besides the ` : "The "}
                <TextLink href="/docs/limits">general limit</TextLink>
              </>
            ),
          },
          ...(cache
            ? [
                {
                  label: "Cached",
                  wide: true,
                  value:
                    "seconds" in cache
                      ? `Up to ${formatDuration(cache.seconds)}`
                      : "Until it changes",
                },
              ]
            : []),
          ...(etag ? [{ label: "ETag", value: "Yes; If-None-Match is supported" }] : []),
          ...(idempotent
            ? [{ label: "Idempotency-Key", value: "Accepted, remembered for 24 hours" }]
            : []),
        ]}
      />
    </Card>
  );
}

interface YourApplicationProps {
  readonly endpoint: Endpoint;
  /** Newest first; undefined without a session. */
  readonly own: readonly ApplicationChoice[] | undefined;
  /** Client ID of the application to show. */
  readonly asked: string | undefined;
  readonly page: string;
  readonly baseUrl: string;
  readonly samples: EndpointSamples;
}

/** The samples contain the reader's client ID and redirect URI, but never the secret. */
function YourApplication({
  endpoint: { scopes },
  own,
  asked,
  page,
  baseUrl,
  samples,
}: YourApplicationProps) {
  if (!own)
    return (
      <p className="text-ink-soft">
        <TextLink href={signInPath({ next: `${page}#your-application` })}>Sign in</TextLink> to get
        the whole flow up to this call, with the client ID and redirect URI of your application
        filled in.
      </p>
    );
  const holds = (application: ApplicationChoice) =>
    scopes.every((scope) => holdsScope(scope, application.scopes));
  const chosen = own.find(({ clientId }) => clientId === asked) ?? own.find(holds) ?? own[0];
  if (!chosen)
    return (
      <p className="text-ink-soft">
        <TextLink href="/developers/new">Register an application</TextLink>, and the whole flow up
        to this call appears here with its client ID filled in.
      </p>
    );
  const [curl, typescript, python] = samples;
  const call = { curl: curl.code, typescript: typescript.code, python: python.code };
  return (
    <>
      {own.length > 1 && (
        <form action={`${page}#your-application`} className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 max-sm:w-full">
            <SelectField
              id="shown-application"
              name="application"
              label="Application"
              defaultValue={chosen.clientId}
              options={own.map(({ clientId, name }) => ({ value: clientId, label: name }))}
              required={false}
              note=""
            />
          </div>
          <Button type="submit">Show</Button>
        </form>
      )}
      <p className="text-ink-soft">
        The whole flow as <bdi className="font-medium text-ink">{chosen.name}</bdi>
        {chosen.kind === "confidential" && (
          <>
            . Its secret is read from <InlineCode>CLIENT_SECRET</InlineCode>
          </>
        )}
        .
        {!holds(chosen) && (
          <>
            {" "}
            It is not registered for <InlineCode>{scopes.join(" ")}</InlineCode>:{" "}
            <TextLink href={`/developers/apps/${chosen.clientId}/settings`}>
              add it in the settings
            </TextLink>
            .
          </>
        )}
      </p>
      <CodeTabs
        label="The whole flow"
        samples={callSnippets({ ...chosen, baseUrl, scopes }, call)}
      />
    </>
  );
}
