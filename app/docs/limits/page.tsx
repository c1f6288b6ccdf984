import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { formatDuration, formatNumber } from "#app/_lib/format";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { maxBodyBytes } from "#server/oauth/form-body";
import { limitIn } from "#server/rest/endpoint";
import { largestBody } from "#server/rest/read-input";
import { routes } from "#server/routes";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { InlineCode } from "../_parts/with-code";

export const metadata: Metadata = { title: guides["/docs/limits"].title };

export default async function Limits() {
  const { rates, lifetimes } = (await portalContext()).context.settings;
  const aMinute = (calls: number) => `${formatNumber(calls)} a minute`;
  const limits = [
    {
      what: "All endpoints",
      who: "One player through one application",
      limit: aMinute(rates.holder),
    },
    ...routes.flatMap(({ title, limit }) =>
      limit
        ? [{ what: title, who: "The same, besides", limit: aMinute(limitIn(limit, rates)) }]
        : [],
    ),
    {
      what: "Vault calls: balance, new requests",
      who: "One member, over all applications",
      limit: aMinute(rates.vault),
    },
    {
      what: "Refreshes of players",
      who: "The player who asks, over all applications",
      limit: aMinute(rates.refresh),
    },
    { what: "API calls without a live token", who: "One address", limit: aMinute(rates.peer) },
    { what: "Pages of the portal", who: "One address", limit: aMinute(rates.pages) },
    {
      what: "Token, revocation, introspection",
      who: "One application; a public one from one address",
      limit: aMinute(rates.client),
    },
    {
      what: "Failed client authentication",
      who: "One application from one address",
      limit: aMinute(rates.clientFailures),
    },
  ];
  const times = [
    { what: "Authorization code", lives: formatDuration(lifetimes.code), note: "Works once." },
    {
      what: "Access token of a server-side application",
      lives: formatDuration(lifetimes.access),
      note: "",
    },
    {
      what: "Access token of a public application",
      lives: formatDuration(lifetimes.accessPublic),
      note: "",
    },
    {
      what: "Refresh token",
      lives: `${formatDuration(lifetimes.refreshIdle)} unused`,
      note: `At most ${formatDuration(lifetimes.refreshMax)} after the approval, and never past the consent's end.`,
    },
    {
      what: "Old refresh token",
      lives: formatDuration(lifetimes.refreshReuse),
      note: "After a rotation it returns the same response, for a client that lost it. Later it counts as stolen.",
    },
  ];
  return (
    <DocPage
      {...guides["/docs/limits"]}
      lead="How often an application may call, and how long codes and tokens live."
    >
      <DocSection id="rates" title="Calls">
        <p className="text-ink-soft">
          Limits are counted per clock minute. Every API response, errors included, has the three
          headers of the limit you will reach first; rely on them rather than on the numbers here.
        </p>
        <CodeBlock
          language="http"
          label="Rate headers"
          code={`X-RateLimit-Limit: ${rates.holder}\nX-RateLimit-Remaining: ${rates.holder - 1}\nX-RateLimit-Reset: 42`}
        />
        <Card flush>
          <DataTable
            caption="Limits"
            rows={limits}
            rowKey={({ what }) => what}
            columns={[
              { key: "what", header: "Calls", primary: true, cell: ({ what }) => what },
              { key: "who", header: "Counted for", cell: ({ who }) => who },
              {
                key: "limit",
                header: "Limit",
                numeric: true,
                nowrap: true,
                cell: ({ limit }) => limit,
              },
            ]}
          />
        </Card>
        <p className="text-ink-soft">
          Above it: 429 with <InlineCode>Retry-After</InlineCode>.{" "}
          <InlineCode>X-RateLimit-Reset</InlineCode> is the number of seconds until the window ends.
        </p>
        <p className="text-ink-soft">
          Each connection is served one request at a time. It is closed if more than 64 others are
          waiting on it, or if reading a response takes longer than two minutes.
        </p>
      </DocSection>
      <DocSection id="lifetimes" title="Lifetimes">
        <Card flush>
          <DataTable
            caption="Lifetimes"
            rows={times}
            rowKey={({ what }) => what}
            columns={[
              { key: "what", header: "What", primary: true, cell: ({ what }) => what },
              { key: "lives", header: "Lives", nowrap: true, cell: ({ lives }) => lives },
              { key: "note", header: "Note", prose: true, cell: ({ note }) => note },
            ]}
          />
        </Card>
      </DocSection>
      <DocSection id="sizes" title="Sizes">
        <p className="text-ink-soft">
          Bodies: {largestBody / 1_024} KB on <InlineCode>/api/v1</InlineCode>,{" "}
          {maxBodyBytes / 1_024} KB on <InlineCode>/oauth</InlineCode>. Above: 413.
        </p>
      </DocSection>
    </DocPage>
  );
}
