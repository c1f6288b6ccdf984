import { setMaxListeners } from "node:events";

/** How many attempts one process may have under way at once. What an endpoint, an application and a host may have, the claims bound. */
const mostAtOnce = 100;

type Release = () => void;
type Grant = (release: Release | undefined) => void;

/** Permits for attempts. Applications that wait get one each in turn, however many attempts one of them has. */
export interface Slots {
  /** Resolves with what gives it back; undefined where the signal was aborted first. */
  take(clientId: string, signal: AbortSignal): Promise<Release | undefined>;
}

export function createSlots(most = mostAtOnce): Slots {
  // In order of turns: an application that got a permit goes to the end.
  const queues = new Map<string, Grant[]>();
  let taken = 0;

  const remove = (clientId: string, grant: Grant) => {
    const left = (queues.get(clientId) ?? []).filter((other) => other !== grant);
    queues.delete(clientId);
    if (left.length > 0) queues.set(clientId, left);
  };
  const grantNext = () => {
    const [first] = queues;
    const [clientId, [grant] = []] = first ?? [];
    if (taken >= most || clientId === undefined || !grant) return;
    remove(clientId, grant);
    taken += 1;
    let given = true;
    grant(() => {
      if (!given) return;
      given = false;
      taken -= 1;
      grantNext();
    });
  };
  return {
    take: (clientId, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const giveUp = () => {
          remove(clientId, grant);
          resolve(undefined);
        };
        const grant: Grant = (release) => {
          signal.removeEventListener("abort", giveUp);
          resolve(release);
        };
        // All that wait share the signal that ends them, and Node warns of more than ten listeners.
        setMaxListeners(0, signal);
        signal.addEventListener("abort", giveUp, { once: true });
        queues.set(clientId, [...(queues.get(clientId) ?? []), grant]);
        grantNext();
      }),
  };
}
