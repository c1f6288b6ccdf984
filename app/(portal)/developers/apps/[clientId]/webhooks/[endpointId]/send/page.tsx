import type { Metadata } from "next";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Interactive } from "#app/_parts/interactive.tsx";
import { Card } from "#app/_ui/card.tsx";
import { eventTypes } from "#server/event-types";
import { noticeTypes } from "#server/notices/topics";
import { TestEvent } from "../../_parts/endpoint-acts";
import { type EndpointProps, ownEndpoint } from "../../_parts/own-endpoint";
import { ReplayForms, ReplayResult } from "../../_parts/replay";

export const metadata: Metadata = { title: "Test and replay" };

const done = { nothing: "No event was found: nothing is sent again." };
const wrong = { range: "Enter both times of the range, the earlier one first." };

export default async function EndpointSend({ params, searchParams }: EndpointProps) {
  const { application, endpoint, key, page } = await ownEndpoint(params);
  return (
    <Interactive>
      <FormNotice
        searchParams={searchParams}
        done={done}
        wrong={wrong}
        refused="Nothing was sent"
      />
      <ReplayResult searchParams={searchParams} action={`${page}/replay`} />
      <Card
        title="Test event"
        description="Sends an example at once, marked with “test”: true. It is not repeated."
      >
        {endpoint.state === "unverified" ? (
          <p className="text-sm text-ink-soft">Verify the endpoint first.</p>
        ) : (
          <TestEvent
            {...key}
            types={application ? eventTypes.map(({ type }) => type) : noticeTypes}
          />
        )}
      </Card>
      <ReplayForms
        action={`${page}/replay`}
        enabled={endpoint.state === "enabled"}
        own={!application}
      />
    </Interactive>
  );
}
