import type { Metadata } from "next";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { Card } from "#app/_ui/card.tsx";
import { eventTypes } from "#server/event-types";
import { noticeEventTypes } from "#server/notices/topics";
import { TestEventForm } from "../../_parts/endpoint-acts";
import { type EndpointProps, requireEndpoint } from "../../_parts/own-endpoint";
import { ReplayForms, ReplayResultAlert } from "../../_parts/replay";

export const metadata: Metadata = { title: "Test and replay" };

const done = { nothing: "No event was found: nothing is sent again." };
const wrong = { range: "Enter both times of the range, the earlier one first." };

export default async function EndpointSend({ params, searchParams }: EndpointProps) {
  const { application, endpoint, key, page } = await requireEndpoint(params);
  return (
    <ClientProviders>
      <FormNotice
        searchParams={searchParams}
        done={done}
        wrong={wrong}
        refused="Nothing was sent"
      />
      <ReplayResultAlert searchParams={searchParams} action={`${page}/replay`} />
      <Card
        title="Test event"
        description="Sends an example at once, marked with “test”: true. It is not repeated."
      >
        {endpoint.state === "unverified" ? (
          <p className="text-sm text-ink-soft">Verify the endpoint first.</p>
        ) : (
          <TestEventForm
            {...key}
            types={application ? eventTypes.map(({ type }) => type) : noticeEventTypes}
          />
        )}
      </Card>
      <ReplayForms
        action={`${page}/replay`}
        enabled={endpoint.state === "enabled"}
        own={!application}
      />
    </ClientProviders>
  );
}
