import { Send } from "lucide-react";
import type { ReactNode } from "react";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import type { Tone } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { ViewLinks } from "#app/_ui/view-links.tsx";
import type { DeliveryView } from "#server/webhooks/endpoint-views";
import { Excerpt, PhasesBar, StatusBadge } from "./attempt";

type Props = {
  deliveries: readonly DeliveryView[];
  page: string;
  filtered: boolean;
  /** Needed for a resend. */
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

export function DeliveriesTable({ deliveries, page, filtered, enabled }: Props) {
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
                <Outcome outcome={outcome} status={status} />
                {phases && <PhasesBar phases={phases} />}
              </span>
              {failure && <span className="text-sm text-ink-soft">{failure}</span>}
              {outcomes[outcome].why && (
                <span className="text-sm text-ink-soft">{outcomes[outcome].why}</span>
              )}
              {excerpt && <Excerpt text={excerpt} />}
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
              <CsrfForm action={`${page}/replay`} fields={{ message_id: delivery.messageId }}>
                <Button
                  type="submit"
                  size="sm"
                  aria-label={`Replay ${delivery.type} ${delivery.messageId}`}
                >
                  Replay
                </Button>
              </CsrfForm>
            ) : null,
        },
      ]}
    />
  );
}

const Outcome = ({ outcome, status }: Pick<DeliveryView, "outcome" | "status">): ReactNode =>
  outcome === "withdrawn" ? (
    <span>Withdrawn</span>
  ) : (
    <StatusBadge status={status} tone={outcomes[outcome].tone} />
  );

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

export const DeliveryFilter = ({ page, filtered }: { page: string; filtered: boolean }) => (
  <ViewLinks
    label="Filter deliveries"
    views={[
      { label: "All", href: `${page}#deliveries`, current: !filtered },
      { label: "Not delivered", href: `${page}?show=failed#deliveries`, current: filtered },
    ]}
  />
);
