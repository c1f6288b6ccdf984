import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { formatDuration } from "#app/_lib/format";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { CodeTabs } from "#app/_ui/code-tabs.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { eventsKept } from "#server/event-log/event-type";
import { eventTypes } from "#server/event-types";
import { usualLimits } from "#server/events/event-limits";
import { exampleEvent } from "#server/events/event-schema";
import { retaliationOpened } from "#server/faction/attacks/events";
import { apiPrefix } from "#server/machine-path";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { readSamples } from "../_parts/read-sample";
import { NamedTable } from "../_parts/tables";
import { Prose, ProseList, WithCode } from "../_parts/with-code";
import { audienceInWords } from "./audience-in-words";

export const metadata: Metadata = { title: guides["/docs/events"].title };

const inWords = (milliseconds: number) => formatDuration(milliseconds / 1_000);
const kept = inWords(eventsKept);

const doors = [
  {
    name: "Webhook",
    how: "We send each event to a URL of yours.",
    when: "Your application has a server with a public address. Nothing runs while nothing happens.",
  },
  {
    name: "Stream",
    how: "Your application keeps one connection open and reads events as they come.",
    when: "Bots, browsers and desktop tools: no public address is needed, and an event arrives within a moment.",
  },
  {
    name: "List",
    how: "Your application asks what happened after a cursor, and may wait for the answer.",
    when: "Scripts that run now and then, and catching up after a pause.",
  },
];

const promises = [
  "Every event is delivered at least once. If one comes again, it has the same `id`: remember ids for 8 days.",
  "The stream and the list give events in the order in which they happened, without gaps. A page never changes behind its cursor.",
  "Webhooks begin in that order, for each player. A failed one is sent again later: compare `revision`, and ignore an event whose revision is lower than the one you have of the same subject.",
  `Events are kept for ${kept}. If you were away longer, you are told; read the records again.`,
  "An event holds ids, never amounts, names or text. Read the record with the player's token, or get it with the event by `expand=record`.",
  "Fields may be added to a type at any time; a new meaning is a new type. Ignore types that you do not know.",
];

const consents = [
  "You get an event if the grant covered its scope when it happened and covers it now. You never get events from before the approval, from a pause, or from after a scope was removed.",
  "You get events of a faction while the player is a member and was one when they happened. Only bankers get other members' vault requests.",
  "When a grant ends, you get one last event, `grant.ended`, with the reason. It goes to your webhook, whatever types you chose. Delete the player's data then.",
  "While a player is banned here, grants are paused: calls answer 401, streams end with `paused`, `grant.paused` says `operator`, and `grant.resumed` follows if the ban is lifted. Webhooks leave out what happened meanwhile: read the records again.",
  "While your application is suspended it gets no events: streams end with `suspended`, the list answers 403 with code 4009, webhooks wait. Afterwards all continue where they were, without an event for each grant.",
];

const readers = [
  { label: "JavaScript", file: "read-events.js", language: "typescript" },
  { label: "Python", file: "read_events.py", language: "python" },
] as const;

export default async function Events() {
  const { baseUrl } = (await portalContext()).context.settings;
  const address = `${baseUrl}${apiPrefix}/events`;
  const programs = await readSamples("event-readers", readers);
  const authorization = '-H "Authorization: Bearer $ACCESS_TOKEN"';
  return (
    <DocPage
      {...guides["/docs/events"]}
      lead="Get events instead of polling: a member is hit, a vault request is made, a player takes access back."
    >
      <DocSection id="ways" title="Three ways to get them">
        <NamedTable
          caption="Ways to get events"
          header="Way"
          words
          rows={doors}
          columns={[
            { header: "How", text: ({ how }) => how },
            { header: "Use it for", text: ({ when }) => when },
          ]}
        />
        <Prose>
          All three carry the same events with the same ids and cursors. You can change from one to
          another, or read the list to catch up with what a webhook missed.
        </Prose>
        <p className="text-ink-soft">
          Webhooks have <TextLink href="/docs/webhooks">a guide of their own</TextLink>. For
          programs, all types stand in the{" "}
          <TextLink href="/api/openapi.json" document>
            OpenAPI document
          </TextLink>{" "}
          and the{" "}
          <TextLink href="/api/asyncapi.json" document>
            AsyncAPI document
          </TextLink>
          , with JSON Schemas.
        </p>
      </DocSection>
      <DocSection id="types" title="Types">
        <Card flush>
          <DataTable
            caption="Types of events"
            rows={eventTypes}
            rowKey={({ type }) => type}
            columns={[
              {
                key: "type",
                header: "Type",
                primary: true,
                cell: ({ type }) => (
                  <TextLink href={`/docs/events/${type}`} className="font-mono text-sm">
                    {type}
                  </TextLink>
                ),
              },
              {
                key: "description",
                header: "Happens",
                prose: true,
                cell: ({ description }) => <WithCode text={description} />,
              },
              {
                key: "scope",
                header: "Scope",
                cell: ({ scope }) =>
                  scope === null ? (
                    <span className="text-ink-faint">none</span>
                  ) : (
                    <code className="font-mono text-xs">{scope}</code>
                  ),
              },
            ]}
          />
        </Card>
      </DocSection>
      <DocSection id="an-event" title="An event">
        <CodeBlock
          title={retaliationOpened.type}
          language="json"
          code={JSON.stringify(exampleEvent(retaliationOpened, baseUrl), null, 2)}
        />
        <Prose>
          `sub` is the player whose grant opens the event, `subject` the record that changed,
          `changed` its fields, and `href` where it is read. `changed` lets you skip what you do not
          need.
        </Prose>
        <p className="text-ink-soft">{audienceInWords.faction}</p>
      </DocSection>
      <DocSection id="promises" title="What you can rely on">
        <ProseList items={promises} />
      </DocSection>
      <DocSection id="consent" title="Consent, then and now">
        <ProseList items={consents} />
      </DocSection>
      <DocSection id="stream" title="Read the stream">
        <CodeBlock
          language="shell"
          label="Open the stream"
          wrap
          code={`curl -N "${address}?types=retaliation.opened" -H "Accept: text/event-stream" ${authorization}`}
        />
        <Prose>
          Each frame has the event as `data`, its type as `event` and its cursor as `id`. To go on
          after a pause, send the last `id` as the header `Last-Event-ID`, or as `after` or
          `lastEventId`; `since` begins at a time, and without a position the stream begins with
          what happens next. `EventSource` of browsers sends no `Authorization`: read the stream
          with `fetch`, or with a library that sets headers.
        </Prose>
        <Prose>{`Where nothing happens, a frame with an \`id\` alone comes every ${inWords(usualLimits.heartbeat)}: keep it too. A stream ends after about ${inWords(usualLimits.age)}, and when the token expires or is revoked. The last frame is \`end\` with the \`reason\`. Come back after the time in \`retry\`, with a live token.`}</Prose>
        <Prose>
          A frame `reset` says that your position could not be found: it is too old, not your
          application's, or of a database that was restored. Read the records again. The stream goes
          on from now.
        </Prose>
        <Prose>These read the stream, and come back with their position when it ends:</Prose>
        <CodeTabs label="Reader of the stream" samples={programs} />
        <Prose>{`A player can have ${usualLimits.streamsOfHolder} streams through one application. Where the service cannot keep streams open, it answers 406: read the list there.`}</Prose>
      </DocSection>
      <DocSection id="list" title="Read the list">
        <CodeBlock
          language="shell"
          label="Two calls"
          wrap
          code={`curl "${address}?types=retaliation.opened,retaliation.closed" ${authorization}\n# then, with the cursor of the answer:\ncurl "${address}?after=$CURSOR&wait=20" ${authorization}`}
        />
        <Prose>
          Without `after` it begins with the oldest event that is kept, with `since` at a time. Keep
          `cursor` of every answer, also where `events` is empty. Where `more` is true, ask again at
          once. With `wait` a call waits up to so many seconds for the first event.
        </Prose>
        <Prose>
          With `expand=record` each event carries its record, as the player may read it at this
          moment; `null` where it is gone.
        </Prose>
        <p className="text-ink-soft">
          A cursor that is too old, or not your application's, answers 400 with{" "}
          <WithCode text="`details.reason` and `details.oldest`, where the log begins. Read the records again, and go on from there." />{" "}
          All parameters: <TextLink href="/docs/api/list-events">List Events</TextLink>. How often
          you may ask: <TextLink href="/docs/limits">Limits</TextLink>.
        </p>
      </DocSection>
    </DocPage>
  );
}
