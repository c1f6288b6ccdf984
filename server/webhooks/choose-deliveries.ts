/** Maximum concurrent requests, over all processes. */
export const bounds = {
  endpoint: 2,
  application: 4,
  /** Over all applications: many endpoints at one host must not become an attack on it. */
  host: 8,
  /** Slow endpoints leave half to the others of their application, and of their host. */
  slowApplication: 2,
  slowHost: 4,
};
type Bound = keyof typeof bounds;

/** Maximum concurrent requests per process. */
export const places = {
  /** To endpoints that answer within a second. */
  fast: 200,
  /** To the others. */
  slow: 50,
  /** Slowness is noticed a second late, so a second's worth of requests comes on top. */
  all: 500,
};

export interface Bounded {
  readonly endpointId: string;
  readonly clientId: string;
  readonly host: string;
  /** The last or current request takes longer than a second. */
  readonly slow: boolean;
}

/** `requests`: maximum concurrent requests of the claim. */
export interface Held extends Bounded {
  readonly requests: number;
}

export interface Due extends Bounded {
  /** One request at a time: the endpoint rests or asked for less. */
  readonly alone: boolean;
  readonly waiting: number;
}

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
  for (const one of held) add(one, one.requests);
  return {
    add,
    isFull: (one: Bounded) =>
      keysOf(one).some(([bound, key]) => countOf(bound, key) >= bounds[bound]),
    full: (bound: Exclude<Bound, "endpoint">) =>
      [...counts].flatMap(([name, count]) =>
        name.startsWith(`${bound} `) && count >= bounds[bound]
          ? [name.slice(bound.length + 1)]
          : [],
      ),
  };
}

/**
 * Round-robin: in each round every application gets one request, within the bounds.
 * @param due in the order of turns; nothing is in flight to them
 * @param room free places of this process
 * @returns maximum concurrent requests by endpoint id
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
    // The application's other endpoints come first.
    left = [...waits, ...begun];
  }
  return chosen;
}
