import type { EventType } from "./event-log/event-type";
import { attackEvents, crimeEvents, positionsChanged, vaultRequestEvents } from "./faction/events";
import { grantEvents } from "./oauth/grants/events";
import { covers, type ScopeName } from "./scopes";
import { stocksTick } from "./stocks/events";
import { memberEvents } from "./users/membership/events";
import { eventsGap } from "./webhooks/events";

/** Listed to readers in this order. No other event exists. */
export const eventTypes: readonly EventType[] = [
  ...grantEvents,
  ...vaultRequestEvents,
  ...attackEvents,
  ...crimeEvents,
  ...memberEvents,
  positionsChanged,
  stocksTick,
  eventsGap,
];

export function eventWordsOf(scopes: readonly ScopeName[]): string[] {
  const opened = eventTypes.filter(({ scope }) => scope !== null && covers(scopes, scope));
  return [...new Set(opened.map(({ told }) => told))];
}
