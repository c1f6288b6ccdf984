import type { Flow } from "#app/_lib/playground-flow";
import type { PlaygroundToken } from "./authorization";

/** A live token, and the request and answer that led to it. */
export interface Connection extends Flow {
  readonly token: PlaygroundToken;
}

function createHolder<Held>() {
  let current: Held | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(held: Held | undefined): void {
      current = held;
      for (const changed of listeners) changed();
    },
    subscribe(changed: () => void): () => void {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Kept in the tab's memory alone: pages that one goes to by links share it, a reload forgets it. On the server nobody sets it. */
export const connectionOfTab = createHolder<Connection>();
