import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { formatDuration, formatNumber } from "#app/_lib/format";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { CodeTabs } from "#app/_ui/code-tabs.tsx";
import { Steps } from "#app/_ui/steps.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { webhookHeaders } from "#server/events/event-schema";
import { mostKeepDays } from "#server/webhooks/contract";
import { exhausted, failuresBeforeRest, noticeAfter } from "#server/webhooks/endpoint-health";
import { mostReplayed } from "#server/webhooks/replay";
import { attemptDelays } from "#server/webhooks/retry";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { readSamples } from "../_parts/read-sample";
import { NamedTable } from "../_parts/tables";
import { Prose, WithCode } from "../_parts/with-code";

export const metadata: Metadata = { title: guides["/docs/webhooks"].title };

const samples = [
  { label: "TypeScript", file: "receiver.ts", language: "typescript" },
  { label: "Python", file: "receiver.py", language: "python" },
  { label: "Go", file: "receiver.go", language: "go" },
] as const;

const inWords = (milliseconds: number) => formatDuration(milliseconds / 1_000);
const waits = attemptDelays.slice(1).map(inWords).join(", ");
const notices = noticeAfter.map(([, after]) => inWords(after)).join(", ");

const answers = [
  { name: "2xx", means: "Received. Whatever you do with it comes after the answer." },
  { name: "410", means: "The endpoint is switched off at once." },
  {
    name: "429 or 503 with Retry-After",
    means:
      "Nothing is sent before that time, then one event at a time, faster again while you accept them. This does not count as a failure.",
  },
  {
    name: "429, 502, 504",
    means: "The event is sent again later, and less is sent meanwhile.",
  },
  {
    name: "3xx",
    means:
      "A failure: a redirect is not followed. Change the endpoint's URL to the address that it leads to.",
  },
  { name: "Anything else", means: "The event is sent again later." },
];

const advice = [
  "Answer within 15 seconds, with 2xx, before you do the work. An answer after that counts as a failure, and the event comes again.",
  "Remember the ids of events for 8 days, and pass over those that you know: an event may come more than once.",
  "Compare `revision`: ignore an event that is older than what you have of the same subject.",
  "Verify the body as it came, byte for byte. Parsed and written again it would have another signature.",
  "Ignore types that you do not know, and answer them with 2xx.",
];

export default async function Webhooks() {
  await portalContext();
  const programs = await readSamples("webhooks", samples);
  return (
    <DocPage
      {...guides["/docs/webhooks"]}
      lead="Events are sent to a URL of yours as they happen, signed as Standard Webhooks describes. Any library for that works."
    >
      <DocSection id="set-up" title="Set it up">
        <Steps
          items={[
            {
              title: "Add an endpoint",
              body: (
                <>
                  To your application, under{" "}
                  <TextLink href="/developers">Your applications</TextLink>. The URL begins with
                  https and has a public host name. Choose which{" "}
                  <TextLink href="/docs/events#types">types of events</TextLink> it is sent.
                </>
              ),
            },
            {
              title: "Copy the secret",
              body: <WithCode text="It begins with `whsec_` and is shown once." />,
            },
            {
              title: "Verify the endpoint",
              body: (
                <WithCode text="We send a signed event of the type `endpoint.verify`: answer with its `data.code` as the body. A second request has a wrong signature: answer it with 401." />
              ),
            },
          ]}
        />
      </DocSection>
      <DocSection id="receive" title="Receive and verify">
        <CodeTabs label="Receiver" samples={programs} />
        <Prose>
          The signature is an HMAC-SHA256 of the id, the time and the body, joined by full stops,
          with the secret behind `whsec_` read as base64. Refuse a request whose time is more than
          five minutes off.
        </Prose>
        <NamedTable
          caption="Headers of a webhook"
          header="Header"
          rows={Object.entries(webhookHeaders).map(([name, { description }]) => ({
            name,
            description,
          }))}
          columns={[{ header: "Holds", text: ({ description }) => description }]}
        />
      </DocSection>
      <DocSection id="check" title="Check your receiver">
        <CodeBlock
          language="shell"
          label="Check a receiver"
          code="npm run webhooks:check -- http://localhost:8000/"
        />
        <Prose>
          From a checkout of this service it sends a receiver what it may meet: events that are
          valid, repeated, forged, altered, late, signed twice, out of order and of an unknown type.
        </Prose>
      </DocSection>
      <DocSection id="answers" title="What you answer">
        <NamedTable
          caption="Answers to a webhook"
          header="Status"
          words
          rows={answers}
          columns={[{ header: "Means", text: ({ means }) => means }]}
        />
        <Prose>
          The header `webhook-delivery` of your answer says more: `disable` switches the endpoint
          off, `abort-message` gives this event up.
        </Prose>
      </DocSection>
      <DocSection id="advice" title="Advice">
        <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
          {advice.map((item) => (
            <li key={item}>
              <WithCode text={item} />
            </li>
          ))}
        </ul>
      </DocSection>
      <DocSection id="retries" title="Retries">
        <Prose>{`An event that fails is sent ${attemptDelays.length} times at most. The waits between the attempts are ${waits}, each up to a fifth longer. \`Retry-After\` can make a wait longer, not shorter.`}</Prose>
        <Prose>{`After ${failuresBeforeRest} failures in a row the endpoint rests: one event at a time is tried, mostly the oldest, and types of events that have not failed, until one succeeds. A refused event waits for its own next try, and the others go on. Nothing is lost meanwhile: events wait, and where too many wait you get one \`events.gap\`, and read them from the list.`}</Prose>
        <p className="text-ink-soft">
          <WithCode
            text={`An endpoint is switched off after ${inWords(exhausted.sinceFirst)} without a success, and never deleted. You get a notice after ${notices}, and when it happens. To switch it on again, choose: from where it stopped, or from now.`}
          />{" "}
          What it missed is in <TextLink href="/docs/events#list">the list</TextLink>.
        </p>
      </DocSection>
      <DocSection id="consent" title="Consent">
        <Prose>
          Consent is asked before each attempt. What waits when a player takes it back is withdrawn,
          and one `grant.ended` is sent.
        </Prose>
      </DocSection>
      <DocSection id="rotate" title="Change the secret">
        <Prose>{`A new secret signs at once, and the old one beside it for a day, or up to ${mostKeepDays} days as you choose: \`webhook-signature\` has two signatures then, and one right one is enough. If a secret has leaked, end it at once.`}</Prose>
        <Prose>
          If this service can no longer read a secret, the endpoint is switched off and you are
          told: rotate the secret, put the new one in place, then resume.
        </Prose>
      </DocSection>
      <DocSection id="replay" title="Send again">
        <Prose>{`On the endpoint's page you have events sent again: one by its id, those of a range of time, or all that failed since a moment, up to ${formatNumber(mostReplayed)} at a time; the page says how many are left and goes on with the next. They keep their ids, and the consent of today counts.`}</Prose>
      </DocSection>
    </DocPage>
  );
}
