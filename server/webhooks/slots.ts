/** How many attempts may be under way at once, in this process. An endpoint's own bound is kept by the one worker that has it. */
export interface SlotBounds {
  readonly application: number;
  /** Over all applications: many endpoints at one host must not become an attack on it. */
  readonly host: number;
  readonly all: number;
}

export const usualBounds: SlotBounds = { application: 4, host: 8, all: 100 };

interface Wanted {
  readonly clientId: string;
  readonly host: string;
}

interface Waiter extends Wanted {
  readonly grant: (release: () => void) => void;
}

/** Permits for attempts. Applications that wait get one each in turn, however many attempts one of them has. */
export interface Slots {
  /** Resolves with what gives it back; undefined where the signal was aborted first. */
  take(wanted: Wanted, signal: AbortSignal): Promise<(() => void) | undefined>;
}

export function createSlots(bounds: SlotBounds = usualBounds): Slots {
  // In order of turns: an application that got a permit goes to the end.
  const queues = new Map<string, Waiter[]>();
  const byClient = new Map<string, number>();
  const byHost = new Map<string, number>();
  let all = 0;

  const isFree = ({ clientId, host }: Wanted) =>
    all < bounds.all && (byClient.get(clientId) ?? 0) < bounds.application && (byHost.get(host) ?? 0) < bounds.host;
  const add = (counts: Map<string, number>, key: string, step: 1 | -1) => {
    const count = (counts.get(key) ?? 0) + step;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  const count = ({ clientId, host }: Wanted, step: 1 | -1) => {
    all += step;
    add(byClient, clientId, step);
    add(byHost, host, step);
  };
  const remove = (waiter: Waiter) => {
    const left = (queues.get(waiter.clientId) ?? []).filter((other) => other !== waiter);
    queues.delete(waiter.clientId);
    if (left.length > 0) queues.set(waiter.clientId, left);
  };
  const nextFree = () => {
    for (const queue of queues.values()) {
      const waiter = queue.find(isFree);
      if (waiter) return waiter;
    }
    return undefined;
  };
  const grantAll = () => {
    for (let waiter = nextFree(); waiter; waiter = nextFree()) {
      const granted = waiter;
      remove(granted);
      count(granted, 1);
      let given = true;
      granted.grant(() => {
        if (!given) return;
        given = false;
        count(granted, -1);
        grantAll();
      });
    }
  };
  return {
    take: (wanted, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const giveUp = () => {
          remove(waiter);
          resolve(undefined);
        };
        const waiter: Waiter = {
          ...wanted,
          grant: (release) => {
            signal.removeEventListener("abort", giveUp);
            resolve(release);
          },
        };
        signal.addEventListener("abort", giveUp, { once: true });
        queues.set(wanted.clientId, [...(queues.get(wanted.clientId) ?? []), waiter]);
        grantAll();
      }),
  };
}
