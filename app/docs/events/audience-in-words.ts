import type { audienceOf } from "#server/events/event-documents";

export const audienceInWords: Readonly<Record<ReturnType<typeof audienceOf>, string>> = {
  faction:
    "Sent to applications whose grant covers the scope, once for each player of the faction who gave one.",
  application: "Sent to the application that has the grant. No scope is needed.",
  endpoint: "Sent only to the webhook endpoint that it is about, not by list or stream.",
  everybody: "Sent to every application, once and without a player. No scope is needed.",
};
