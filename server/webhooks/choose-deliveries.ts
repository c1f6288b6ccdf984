/** Requests that may be under way at once, over all processes. */
export const bounds = {
  endpoint: 2,
  application: 4,
  /** Over all applications: many endpoints at one host must not become an attack on it. */
  host: 8,
  /** Slow endpoints leave the others of their application, and at their host, half. */
  slowApplication: 2,
  slowHost: 4,
};
type Bound = keyof typeof bounds;

/** Requests that one process may have under way. */
export const places = {
  /** To endpoints that answer within a second. */
  fast: 200,
  /** To the others. */
  slow: 50,
  /** An endpoint is found to be slow a second late: the requests of that second come on top. */
  all: 500,
};

/** An endpoint in the eyes of the bounds. */
export interface Bounded {
  readonly endpointId: string;
  readonly clientId: string;
  readonly host: string;
  /** Its last answer took longer than a second, or the one under way does. */
  readonly slow: boolean;
}

/** An endpoint that a process is sending to, and to how many requests it may have come. */
export interface Held extends Bounded {
  readonly requests: number;
}

/** An endpoint for which deliveries are due. */
export interface Due extends Bounded {
  /** One at a time: it rests, or asked to be sent less. */
  readonly alone: boolean;
  /** How many deliveries wait. */
  readonly waiting: number;
}

/** Counts what is under way by each bound. */
export function countHeld(held: readonly Held[]) {
  const counts = new Map<string, number>();
  const keysOf = ({ clientId, host, slow }: Bounded): [Bound, string][] => [
    ["application", clientId],
    ["host", host],
    ...(slow
      ? ([
          ["slowApplication", clientId],
          ["slowHost", host],
        ] as [Bound, string][])
      : []),
  ];
  const countOf = (bound: Bound, key: string) => counts.get(`${bound} ${key}`) ?? 0;
  const add = (one: Bounded, requests: number) => {
    for (const [bound, key] of keysOf(one))
      counts.set(`${bound} ${key}`, countOf(bound, key) + requests);
  };
  for (const one of held) add(one, Math.min(one.requests, bounds.endpoint));
  return {
    add,
    isFull: (one: Bounded) =>
      keysOf(one).some(([bound, key]) => countOf(bound, key) >= bounds[bound]),
    /** The applications or hosts that have reached a bound. */
    full: (bound: Exclude<Bound, "endpoint">) =>
      [...counts].flatMap(([name, count]) =>
        name.startsWith(`${bound} `) && count >= bounds[bound]
          ? [name.slice(bound.length + 1)]
          : [],
      ),
  };
}

/**
 * Chooses the endpoints that are sent to next: in each round every application gets one request, within the bounds.
 * @param due in the order of turns; nothing is under way to them
 * @param room places that are free in this process
 * @returns how many requests each may have at once, by id
 */
export function chooseEndpoints(
  held: readonly Held[],
  due: readonly Due[],
  room: Readonly<Record<"fast" | "slow", number>>,
): ReadonlyMap<string, number> {
  const counts = countHeld(held);
  const chosen = new Map<string, number>();
  const free = { ...room };
  const most = ({ alone, waiting }: Due) => (alone ? 1 : Math.min(waiting, bounds.endpoint));
  let left = [...due];
  while (left.length > 0) {
    const served = new Set<string>();
    const [waits, begun]: [Due[], Due[]] = [[], []];
    for (const one of left) {
      const place = one.slow ? "slow" : "fast";
      const requests = chosen.get(one.endpointId) ?? 0;
      if (requests >= most(one) || free[place] <= 0 || counts.isFull(one)) continue;
      if (served.has(one.clientId)) waits.push(one);
      else {
        served.add(one.clientId);
        free[place] -= 1;
        counts.add(one, 1);
        chosen.set(one.endpointId, requests + 1);
        begun.push(one);
      }
    }
    // The other endpoints of an application have their turn first.
    left = [...waits, ...begun];
  }
  return chosen;
}
