import type { EventType } from "./event-log/event-type";
import { attackEvents } from "./faction/attacks/events";
import { vaultRequestEvents } from "./faction/banking/events";
import { crimeEvents } from "./faction/crimes/events";
import { positionsChanged } from "./faction/positions/events";
import { grantEvents } from "./oauth/grants/events";
import { covers, type ScopeName } from "./scopes";
import { stocksTick } from "./stocks/events";
import { memberEvents } from "./users/membership/events";
import { eventsGap } from "./webhooks/events";

/** Every type of event, in reading order. What is not in this list does not happen. */
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

/** The events that an application with these scopes receives, in a player's words. */
export function eventsWith(scopes: readonly ScopeName[]): string[] {
  const opened = eventTypes.filter(({ scope }) => scope !== null && covers(scopes, scope));
  return [...new Set(opened.map(({ told }) => told))];
}
