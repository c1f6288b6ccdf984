/** The times in which the database did not answer, as this process saw them. Instants of the monotonic clock, in milliseconds. */
export interface Outages {
  /** Something was answered. @returns when */
  heard(): number;
  /** Something that began then got no answer: whether it was done is unknown. */
  missed(since: number): void;
  /** Whether nothing was answered since something was missed. */
  lasting(): boolean;
  /**
   * What the database did before this instant is so many milliseconds old, and more, for a caller that waited for it: time in
   * which nothing was answered does not count.
   */
  settledBefore(now: Date, milliseconds: number): Date;
}

interface Outage {
  from: number;
  /** Undefined while it lasts. */
  to: number | undefined;
}

/** Two failures this close together belong to one outage. Milliseconds. */
const closeTogether = 5_000;
/** Our idea of the database's clock may be wrong by so much. Milliseconds. */
const clockError = 1_000;
const mostRemembered = 16;
/** A database that comes and goes for hours must not keep used secrets good for hours. Milliseconds. */
const longestStretch = 900_000;

export function openOutages(clock: () => number = () => performance.now()): Outages {
  const outages: Outage[] = [];
  let latest: Outage | undefined;
  let heardAt = clock();
  return {
    heard: () => {
      heardAt = clock();
      if (latest && latest.to === undefined) latest.to = heardAt;
      return heardAt;
    },
    missed: (since) => {
      // It began after the last answer and before the first question that got none.
      const from = Math.min(since, heardAt);
      if (latest && (latest.to === undefined || latest.to + closeTogether >= from)) {
        latest.from = Math.min(latest.from, from);
        latest.to = undefined;
        return;
      }
      latest = { from, to: undefined };
      outages.push(latest);
      if (outages.length > mostRemembered) outages.shift();
    },
    lasting: () => latest !== undefined && latest.to === undefined,
    settledBefore: (now, milliseconds) => {
      const at = clock();
      const since = at - milliseconds;
      const [first] = outages.filter(({ to = Infinity }) => to >= since);
      const stretch = first ? Math.min(since - first.from + clockError, longestStretch) : 0;
      return new Date(now.getTime() - milliseconds - Math.max(0, Math.round(stretch)));
    },
  };
}
