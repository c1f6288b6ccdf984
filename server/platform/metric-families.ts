/** One line of Prometheus' text. */
interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric as a registry of prom-client reads it. */
export interface Family {
  readonly name: string;
  readonly labelNames: readonly string[];
  get(): { name: string; help: string; type: "counter" | "gauge" | "histogram"; values: Sample[] };
}

/** A value for each label, in their order. */
type LabelValues<Names extends readonly string[]> = { [At in keyof Names]: string };

interface Described<Names extends readonly string[]> {
  readonly name: string;
  readonly help: string;
  readonly labels: Names;
}

/** A number that only grows. */
export interface Count {
  inc(by?: number): void;
}
export interface CounterFamily<Names extends readonly string[]> extends Family {
  /** The count with these labels. Where each microsecond matters it is asked for once and kept. */
  of(...values: LabelValues<Names>): Count;
  /** For what is counted elsewhere, and read when somebody asks. */
  set(total: number, ...values: LabelValues<Names>): void;
}

export interface GaugeFamily<Names extends readonly string[]> extends Family {
  set(value: number, ...values: LabelValues<Names>): void;
  /** Forgets all: what is not set again is not known now. */
  clear(): void;
}

/** Durations, by how many were at most so long. */
export interface Timing {
  observe(seconds: number): void;
}
export interface HistogramFamily<Names extends readonly string[]> extends Family {
  of(...values: LabelValues<Names>): Timing;
}

/**
 * Labels come from lists in the code. Should one ever come from outside, memory stays bounded: what is beyond is counted
 * together, under this word.
 */
const mostChildren = 2_000;
const beyond = "other";

/** Children of a family by their labels' values. */
function childrenOf<Names extends readonly string[], Child>(labels: Names, create: () => Child) {
  const children = new Map<
    string,
    { readonly labels: Record<string, string>; readonly child: Child }
  >();
  const named = (values: readonly string[]) =>
    Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ""]));
  const add = (key: string, values: readonly string[]): Child => {
    const child = create();
    children.set(key, { labels: named(values), child });
    return child;
  };
  return {
    of: (...values: LabelValues<Names>): Child => {
      const key = values.join("\n");
      const known = children.get(key)?.child;
      if (known !== undefined) return known;
      if (children.size < mostChildren) return add(key, values);
      const rest = labels.map(() => beyond);
      return children.get(rest.join("\n"))?.child ?? add(rest.join("\n"), rest);
    },
    all: () => [...children.values()],
    clear: () => children.clear(),
  };
}

/**
 * The children are numbers of our own: those of prom-client look their labels up at each call, which takes one to four
 * microseconds, and a call of the API counts four times.
 */
function cell() {
  const self = {
    value: 0,
    inc: (by = 1) => {
      self.value += by;
    },
  };
  return self;
}

const plain = (
  name: string,
  children: readonly { labels: Record<string, string>; child: { value: number } }[],
) =>
  children.map(({ labels, child }): Sample => ({ metricName: name, labels, value: child.value }));

/** Without labels it is 0 from the start, so that its first step is seen as one. */
export function counter<const Names extends readonly string[]>(
  own: Described<Names>,
): CounterFamily<Names> {
  const { name, help, labels } = own;
  const children = childrenOf(labels, cell);
  if (labels.length === 0) children.of(...([] as unknown as LabelValues<Names>));
  return {
    name,
    labelNames: labels,
    of: children.of,
    set: (total, ...values) => {
      Object.assign(children.of(...values), { value: total });
    },
    get: () => ({ name, help, type: "counter", values: plain(name, children.all()) }),
  };
}

export function gauge<const Names extends readonly string[]>(
  own: Described<Names>,
): GaugeFamily<Names> {
  const { name, help, labels } = own;
  const children = childrenOf(labels, cell);
  return {
    name,
    labelNames: labels,
    set: (value, ...values) => {
      Object.assign(children.of(...values), { value });
    },
    clear: children.clear,
    get: () => ({ name, help, type: "gauge", values: plain(name, children.all()) }),
  };
}

/** @param bounds seconds, ascending */
export function histogram<const Names extends readonly string[]>(
  own: Described<Names> & { readonly bounds: readonly number[] },
): HistogramFamily<Names> {
  const { name, help, labels, bounds } = own;
  const children = childrenOf(labels, () => {
    const self = {
      sum: 0,
      /** How many fell between a bound and the one before; the last is for what is beyond all. */
      counts: new Float64Array(bounds.length + 1),
      observe: (seconds: number) => {
        let at = 0;
        while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++;
        self.counts[at] = (self.counts[at] ?? 0) + 1;
        self.sum += seconds;
      },
    };
    return self;
  });
  const samples = (): Sample[] =>
    children.all().flatMap(({ labels: own, child }) => {
      let total = 0;
      const buckets = [...child.counts].map((count, at): Sample => {
        total += count;
        return {
          metricName: `${name}_bucket`,
          labels: { ...own, le: String(bounds[at] ?? "+Inf") },
          value: total,
        };
      });
      const sum = { metricName: `${name}_sum`, labels: own, value: child.sum };
      return [...buckets, sum, { metricName: `${name}_count`, labels: own, value: total }];
    });
  return {
    name,
    labelNames: labels,
    of: children.of,
    get: () => ({ name, help, type: "histogram", values: samples() }),
  };
}
