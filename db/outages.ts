export type OutageLog = ReturnType<typeof createOutageLog>;

interface Outage {
  from: number;
  to: number | undefined;
}

/** Milliseconds. Failures this close belong to one outage. */
const closeTogether = 5_000;
/** Tolerance for the database's clock, in milliseconds. */
const clockError = 1_000;
const mostRemembered = 16;
/** Milliseconds. A cap, so that a flapping database does not keep used secrets valid for hours. */
const longestStretch = 900_000;

/** In milliseconds of the monotonic clock. */
export function createOutageLog(clock: () => number = () => performance.now()) {
  const outages: Outage[] = [];
  let latest: Outage | undefined;
  let heardAt = clock();
  return {
    heard: () => {
      heardAt = clock();
      if (latest && latest.to === undefined) latest.to = heardAt;
    },
    /** @param since start of the unanswered query */
    missed: (since: number) => {
      // The outage began between the last answer and the first unanswered query.
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
    /** The instant that lies at least `milliseconds` back, without counting outages. */
    settledBefore: (now: Date, milliseconds: number) => {
      const at = clock();
      const since = at - milliseconds;
      const [first] = outages.filter(({ to = Infinity }) => to >= since);
      const stretch = first ? Math.min(since - first.from + clockError, longestStretch) : 0;
      return new Date(now.getTime() - milliseconds - Math.max(0, Math.round(stretch)));
    },
  };
}
