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

/** A sentence for the player about the events that an application with these scopes is told; null where there are none. */
export function toldWith(scopes: readonly ScopeName[]): string | null {
  const opened = eventTypes.filter(({ scope }) => scope !== null && covers(scopes, scope));
  const moments = [...new Set(opened.map(({ told }) => `when ${told}`))];
  const last = moments.pop();
  if (last === undefined) return null;
  return `It is told ${moments.length > 0 ? `${moments.join(", ")}, or ${last}` : last}.`;
}
