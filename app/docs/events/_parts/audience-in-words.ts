import type { audienceOf } from "#server/events/event-schema";

/** Who is told an event, in a sentence. */
export const audienceInWords: Readonly<Record<ReturnType<typeof audienceOf>, string>> = {
  faction: "It is told to applications whose grant covers the scope, once for each player of the faction who gave one.",
  application: "It is told to the application that has the grant. No scope is needed.",
  endpoint: "It is told to the webhook endpoint that it is about. It stands in no list and in no stream.",
  everybody: "It is told to every application, once and without a player. No scope is needed.",
};
