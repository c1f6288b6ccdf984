import type { Metadata } from "next";
import { formatDay } from "#app/_lib/format";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { routes } from "#server/routes";
import { referencePath } from "../_parts/describe-endpoint";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { Prose, ProseList, WithCode } from "../_parts/with-code";

export const metadata: Metadata = { title: guides["/docs/versioning"].title };

const promises = [
  "An endpoint keeps its path, method, scopes and parameters.",
  "A field of an answer keeps its name, its type and its meaning. It is not dropped.",
  "A call that is valid today stays valid: no parameter becomes required.",
  "An error keeps its `code`, `name` and HTTP status. The `message` is for people and may change.",
  "Names of scopes, and of types of events, stay.",
];

const additions = [
  "Endpoints, scopes and types of events.",
  "Optional parameters, and fields in answers, in events and in the `details` of an error. Ignore what you do not know.",
  "Errors with new codes, also from an endpoint that you call already. Treat an unknown code by its HTTP status.",
  "Values of a field that names a kind of something. Have a case for the rest.",
  "Limits belong to the installation. Read the `X-RateLimit-*` headers instead of writing a number down.",
];

const steps = [
  "It is listed in the changelog, and its page here says so.",
  'Every answer of the endpoint carries `Deprecation` with the date since when (RFC 9745), `Sunset` with the date when it ends (RFC 8594), and `Link` with `rel="deprecation"`, which leads to what to use instead.',
  "Between the two dates lie at least 180 days, in which it works as before.",
  "After the date of `Sunset` it may answer 404, `EndpointNotFound`.",
];

export default function Versioning() {
  const deprecated = routes.flatMap((endpoint) =>
    endpoint.deprecated ? [{ ...endpoint, deprecated: endpoint.deprecated }] : [],
  );
  return (
    <DocPage
      {...guides["/docs/versioning"]}
      lead="There is one version, /api/v1, and it only grows. What you build on it today goes on working."
    >
      <DocSection id="promise" title="What v1 promises">
        <ProseList items={promises} />
      </DocSection>
      <DocSection id="grows" title="What may be added at any time">
        <ProseList items={additions} />
      </DocSection>
      <DocSection id="goes" title="How something goes away">
        <ol className="grid list-decimal gap-2 pl-5 text-ink-soft">
          {steps.map((step) => (
            <li key={step}>
              <WithCode text={step} />
            </li>
          ))}
        </ol>
        <CodeBlock
          title="Headers of a deprecated endpoint"
          language="http"
          code={
            'Deprecation: @1767225600\nSunset: Fri, 31 Dec 2027 23:59:59 GMT\nLink: <…>; rel="deprecation"'
          }
        />
        <p className="text-ink-soft">
          Log a warning when an answer has one of these headers, and read the{" "}
          <TextLink href="/docs/changelog">changelog</TextLink> before you update.
        </p>
      </DocSection>
      <DocSection id="deprecated" title="Deprecated now">
        <Card flush>
          <DataTable
            caption="Deprecated endpoints"
            rows={deprecated}
            rowKey={({ title }) => title}
            columns={[
              {
                key: "title",
                header: "Endpoint",
                primary: true,
                cell: (endpoint) => (
                  <TextLink href={referencePath(endpoint)}>{endpoint.title}</TextLink>
                ),
              },
              {
                key: "since",
                header: "Since",
                nowrap: true,
                cell: (row) => formatDay(row.deprecated.since),
              },
              {
                key: "sunset",
                header: "Ends",
                nowrap: true,
                cell: (row) => formatDay(row.deprecated.sunset),
              },
            ]}
          />
        </Card>
      </DocSection>
      <DocSection id="beside" title="Beside the API">
        <Prose>
          The OAuth endpoints follow their RFCs and are found by the metadata at
          `/.well-known/oauth-authorization-server`. Webhooks say the date of their form in
          `webhook-version`. Pages of this portal and their addresses may change; programs should
          not read them.
        </Prose>
      </DocSection>
    </DocPage>
  );
}
