import { eventTypes } from "../event-types";
import { covers, type ScopeName } from "../scopes";

/** What an application with these scopes is told of as it happens, in a sentence for the player; null where that is nothing. */
export function toldWith(scopes: readonly ScopeName[]): string | null {
  const opened = eventTypes.filter(({ scope }) => scope !== null && covers(scopes, scope));
  const moments = [...new Set(opened.map(({ told }) => `when ${told}`))];
  const last = moments.pop();
  if (last === undefined) return null;
  return `It is told ${moments.length > 0 ? `${moments.join(", ")}, or ${last}` : last}.`;
}
