import { setMaxListeners } from "node:events";

/** A signal with a time limit. `end` stops the clock and lets go of the parent. */
export interface Deadline {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * A signal that is aborted with `reason` when the time is over, or with its parent's reason when the parent is.
 * An answer that has arrived but was not read yet, because this process was busy, still counts: the loop gets one turn to
 * read it.
 */
export function createDeadline(milliseconds: number, reason: string, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  let ended = false;
  const giveUp = () => {
    if (!ended) controller.abort(reason);
  };
  const timer = setTimeout(() => setImmediate(giveUp), milliseconds);
  if (parent?.aborted) follow();
  else if (parent) {
    // One signal may end hundreds of works, each of which lets go of it: Node warns of more than ten listeners.
    setMaxListeners(0, parent);
    parent.addEventListener("abort", follow, { once: true });
  }
  return {
    signal: controller.signal,
    end: () => {
      ended = true;
      clearTimeout(timer);
      parent?.removeEventListener("abort", follow);
    },
  };
}
