import { Status, type Tone } from "#app/_ui/badge.tsx";
import type { DisabledReason, EndpointHealth } from "#server/webhooks/endpoint";
import type { EndpointView } from "#server/webhooks/endpoint-views";

type Light = readonly [tone: Tone, word: string, sentence: string];

const working: Readonly<Record<EndpointHealth, Light>> = {
  working: ["good", "Working", "Events are delivered as they happen."],
  failing: [
    "warn",
    "Failing",
    "The last attempt failed. Each event is tried ten times, over 76 hours.",
  ],
  resting: [
    "warn",
    "Resting",
    "Five attempts in a row failed. Only the oldest event is tried now, and types of events that have not failed; the others wait and follow once one is delivered.",
  ],
  exhausted: [
    "bad",
    "Failing for 72 hours",
    "Nothing was delivered for 72 hours. The endpoint is about to be disabled.",
  ],
};

const disabled: Readonly<Record<DisabledReason, string>> = {
  gone: "Your endpoint answered 410 Gone, so nothing more is sent. Resume it when it is back.",
  asked:
    "Your endpoint answered with webhook-delivery: disable, so nothing more is sent. Resume it when it is ready.",
  exhausted:
    "Nothing was delivered for 72 hours. Repair your endpoint, send a test event, then resume it.",
};

type Shown = Pick<EndpointView, "state" | "reason" | "health" | "lastSuccessAt" | "secretLost">;

export function endpointStatusOf({
  state,
  reason,
  health,
  lastSuccessAt,
  secretLost,
}: Shown): Light {
  if (secretLost)
    return [
      "bad",
      "Secret lost",
      "We can no longer read the secret, so nothing can be signed or sent. Rotate the secret.",
    ];
  if (state === "unverified")
    return ["neutral", "Not verified", "Nothing is sent before you verify the endpoint."];
  if (state === "paused")
    return ["neutral", "Paused", "Events wait for up to seven days until you resume it."];
  if (state === "disabled")
    return ["bad", "Disabled", reason ? disabled[reason] : "Nothing is sent. Resume it to go on."];
  if (health === "working" && !lastSuccessAt)
    return ["good", "Ready", "No event has been delivered yet. Send a test event to try it."];
  return working[health];
}

export function EndpointStatus({ endpoint }: { endpoint: Shown }) {
  const [tone, word] = endpointStatusOf(endpoint);
  return <Status tone={tone}>{word}</Status>;
}
