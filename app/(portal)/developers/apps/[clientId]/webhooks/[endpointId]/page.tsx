import { Send } from "lucide-react";
import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { formatNumber } from "#app/_lib/format";
import { readParam } from "#app/_lib/search-params";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { ListFooter, ViewLinks } from "#app/_parts/list-controls.tsx";
import { RefreshSoon } from "#app/_parts/page-refresh.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import type { Tone } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { DeliveryView, EndpointView } from "#server/webhooks/endpoint-views";
import { PhasesBar, ResponseExcerpt, StatusBadge } from "../_parts/attempt";
import { endpointsPath } from "../_parts/endpoint-path";
import { endpointStatusOf } from "../_parts/endpoint-status";
import { type EndpointProps, requireEndpoint } from "../_parts/own-endpoint";
import { VerifyEndpointForm } from "../_parts/verify";

export async function generateMetadata({ params }: EndpointProps): Promise<Metadata> {
  const { application } = await requireEndpoint(params);
  return { title: application ? `Webhook endpoint of ${application.name}` : "Your webhook" };
}

const done = {
  verified: "Verified: your endpoint sent the code back and refused the forged request.",
  again: "The event is on the way again.",
  pause: "Paused. Events wait for up to seven days.",
  resume: "The endpoint is enabled.",
  move: "The URL is saved. Verify it: nothing is sent before that.",
};

export default async function EndpointDeliveries({ params, searchParams }: EndpointProps) {
  const { application, endpoint, key, page } = await requireEndpoint(params);
  const filtered = (await readParam(searchParams, "show")) === "failed";
  const isReplayed = (await readParam(searchParams, "done")) === "again";
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const asked = { ...key, after, unsuccessful: filtered };
  const { rows, next } = await (await caller()).webhooks.deliveries(asked);
  const { state, secretLost, waiting, types, lastSuccessAt, failures, failingSince } = endpoint;
  return (
    <ClientProviders>
      {state === "enabled" && waiting > 0 && (failures === 0 || isReplayed) && <RefreshSoon />}
      <FormNotice searchParams={searchParams} done={done} refused="Nothing was done" />
      <State endpoint={endpoint} page={page} />
      {state === "unverified" && !secretLost && (
        <Card
          title="Verify"
          description={
            <>
              We send two requests. Answer the signed <code>endpoint.verify</code> with its{" "}
              <code>data.code</code> in the body, and the one with a wrong signature with 401.
            </>
          }
        >
          <VerifyEndpointForm {...key} isVerified={false} />
        </Card>
      )}
      <StatRow
        items={[
          { label: "Waiting", value: formatNumber(waiting), hint: "events" },
          {
            label: "Events",
            value: types.length,
            hint: (
              <TextLink href={application ? `${page}/events` : endpointsPath()}>
                types chosen
              </TextLink>
            ),
          },
          { label: "Last success", value: lastSuccessAt ? <Time at={lastSuccessAt} /> : "Never" },
          {
            label: "Failures in a row",
            value: failures,
            hint: failingSince && (
              <>
                since <Time at={failingSince} />
              </>
            ),
          },
        ]}
      />
      <Card
        id="deliveries"
        title="Deliveries"
        description="Attempts of the last seven days, newest first."
        actions={
          <ViewLinks
            label="Filter deliveries"
            views={[
              { label: "All", href: `${page}#deliveries`, current: !filtered },
              {
                label: "Not delivered",
                href: `${page}?show=failed#deliveries`,
                current: filtered,
              },
            ]}
          />
        }
        flush
        footer={
          <ListFooter address={filtered ? `${page}?show=failed` : page} after={after} next={next}>
            The bar shows DNS, connection, TLS and the wait for the answer.
          </ListFooter>
        }
      >
        <DeliveriesTable
          deliveries={rows}
          page={page}
          filtered={filtered}
          enabled={state === "enabled"}
        />
      </Card>
    </ClientProviders>
  );
}

function State({ endpoint, page }: { endpoint: EndpointView; page: string }) {
  const { state, secretLost } = endpoint;
  const [tone, word, sentence] = endpointStatusOf(endpoint);
  const action = `${page}/act`;
  if (secretLost)
    return (
      <Alert tone="bad" title={word}>
        {sentence}{" "}
        <LinkButton href={`${page}/settings#secret`} size="sm">
          Rotate the secret
        </LinkButton>
      </Alert>
    );
  if (state === "enabled")
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64">{sentence}</p>
        <ActButton action={action} fields={{ act: "pause" }}>
          Pause
        </ActButton>
      </div>
    );
  if (state === "unverified") return <p className="max-w-prose">{sentence}</p>;
  return (
    <Card title={word} description={sentence} tone={tone === "bad" ? "danger" : undefined}>
      <CsrfForm action={action} fields={{ act: "resume" }} className="grid gap-4">
        <RadioCards
          name="from"
          legend="Where should it go on?"
          defaultValue="stopped"
          options={[
            {
              value: "stopped",
              label: "From where it stopped",
              hint: "Waiting events are sent first, oldest first.",
            },
            { value: "now", label: "From now", hint: "Waiting events are deleted and never sent." },
          ]}
        />
        <div>
          <Button type="submit" variant="primary">
            Resume
          </Button>
        </div>
      </CsrfForm>
    </Card>
  );
}

type DeliveriesProps = {
  deliveries: readonly DeliveryView[];
  page: string;
  filtered: boolean;
  /** An event can be resent only to an enabled endpoint. */
  enabled: boolean;
};

const outcomes: Readonly<Record<DeliveryView["outcome"], { tone: Tone; why?: string }>> = {
  delivered: { tone: "good" },
  failed: { tone: "warn" },
  "given-up": { tone: "bad", why: "Your endpoint asked not to be sent this event again." },
  exhausted: {
    tone: "bad",
    why: "This was the last attempt. Replay it when your endpoint works again.",
  },
  withdrawn: { tone: "neutral", why: "Not sent: the player's consent ended." },
};

/** A test event is not in the log, so it cannot be resent. */
const isTest = ({ messageId }: DeliveryView) => messageId.startsWith("evt_test_");

function DeliveriesTable({ deliveries, page, filtered, enabled }: DeliveriesProps) {
  return (
    <DataTable
      caption="Deliveries"
      rows={deliveries}
      rowKey={({ id }) => id}
      empty={<NoDeliveries page={page} filtered={filtered} />}
      columns={[
        {
          header: "Event",
          primary: true,
          cell: (delivery) => (
            <span className="grid gap-0.5">
              <code className="text-sm font-medium wrap-anywhere">{delivery.type}</code>
              <code className="text-xs wrap-anywhere text-ink-faint">{delivery.messageId}</code>
              <span className="text-xs text-ink-faint">
                {isTest(delivery) ? "Test" : `Attempt ${delivery.attempt}`} ·{" "}
                <Time at={delivery.at} />
              </span>
            </span>
          ),
        },
        {
          header: "Result",
          prose: true,
          cell: ({ outcome, status, failure, excerpt, phases }) => (
            <span className="grid gap-1">
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {outcome === "withdrawn" ? (
                  <span>Withdrawn</span>
                ) : (
                  <StatusBadge status={status} tone={outcomes[outcome].tone} />
                )}
                {phases && <PhasesBar phases={phases} />}
              </span>
              {failure && <span className="text-sm text-ink-soft">{failure}</span>}
              {outcomes[outcome].why && (
                <span className="text-sm text-ink-soft">{outcomes[outcome].why}</span>
              )}
              {excerpt && <ResponseExcerpt text={excerpt} />}
            </span>
          ),
        },
        {
          header: "Next try",
          nowrap: true,
          cell: ({ nextAt }) => nextAt && (nextAt <= new Date() ? "Soon" : <Time at={nextAt} />),
        },
        {
          header: "Replay",
          actions: true,
          cell: (delivery) =>
            enabled && !isTest(delivery) ? (
              <ActButton
                action={`${page}/replay`}
                fields={{ message_id: delivery.messageId }}
                aria-label={`Replay ${delivery.type} ${delivery.messageId}`}
              >
                Replay
              </ActButton>
            ) : null,
        },
      ]}
    />
  );
}

function NoDeliveries({ page, filtered }: { page: string; filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState
        icon={<Send />}
        title="Everything was delivered"
        action={<LinkButton href={`${page}#deliveries`}>Show all deliveries</LinkButton>}
      >
        No attempt of the last seven days failed.
      </EmptyState>
    );
  return (
    <EmptyState icon={<Send />} title="Nothing sent yet">
      Once the endpoint is verified, send a test event. Real events appear here as they happen.
    </EmptyState>
  );
}
