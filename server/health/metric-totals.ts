import type { Metrics } from "#server/platform/metrics";

/** Figures that are counted since a process began; those of a latency say how many calls took at most so many seconds. */
export type Totals = Readonly<Record<string, number>>;

const apiRoutes = /^(?:\/api\/v1\/|\/oauth\/(?:token|revoke|introspect)$)/;
/** Load balancers ask for the first, twice a second each, and a page brings many of the second: neither is somebody's request. */
const notTraffic: ReadonlySet<string> = new Set(["/health", "file"]);
const signedIn: ReadonlySet<string> = new Set(["signed-in", "second-step"]);
export const latencyPrefix = "within:";

/** Totals of calls, pages, sign-ins and the game from a process's metrics. Events are left out of latencies: they wait by design. */
export function totalsOf(
  metrics: Pick<
    Metrics,
    "requests" | "signIns" | "gameCalls" | "gameRows" | "vaultNewsPages" | "jobRuns" | "jobDelay"
  >,
): Totals {
  const totals: Record<string, number> = { jobDelay: metrics.jobDelay.get().values[0]?.value ?? 0 };
  const add = (name: string, value: number) => {
    totals[name] = (totals[name] ?? 0) + value;
  };
  for (const { metricName, labels, value } of metrics.requests.get().values) {
    const { route = "", status = "", le } = labels;
    if (notTraffic.has(route)) continue;
    const isCall = apiRoutes.test(route);
    if (metricName.endsWith("_count")) {
      add(isCall ? "calls" : "pages", value);
      if (status.startsWith("5")) add("errors", value);
      else if (isCall && status.startsWith("4")) add("refused", value);
    } else if (isCall && le !== undefined && !route.endsWith("/events"))
      add(`${latencyPrefix}${le}`, value);
  }
  for (const { labels, value } of metrics.signIns.get().values)
    add(signedIn.has(labels.outcome ?? "") ? "signIns" : "failedSignIns", value);
  for (const { metricName, labels, value } of metrics.gameCalls.get().values) {
    if (!metricName.endsWith("_count")) continue;
    add("gameCalls", value);
    if (labels.outcome !== "ok") add("gameErrors", value);
  }
  for (const { labels, value } of metrics.gameRows.get().values) {
    add("gameRows", value);
    if (labels.outcome === "unreadable") add("unreadableRows", value);
  }
  for (const { labels, value } of metrics.vaultNewsPages.get().values)
    if (labels.outcome === "unknown") add("unknownNews", value);
  for (const { metricName, labels, value } of metrics.jobRuns.get().values) {
    if (!metricName.endsWith("_count")) continue;
    add("jobRuns", value);
    if (labels.outcome === "failed") add("failedJobs", value);
  }
  return totals;
}

/** The increase since `before`; totals that did not change are left out. */
export const growth = (before: Totals, now: Totals): Totals =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([, more]) => more > 0),
  );

/**
 * The seconds within which a share of the calls was answered: the bound of the bucket that holds it.
 * @returns undefined without a call; Infinity where it lies beyond the last bound
 */
export function latencyQuantile(counted: Totals, share: number): number | undefined {
  const buckets = Object.entries(counted)
    .filter(([name]) => name.startsWith(latencyPrefix))
    .map(
      ([name, value]) =>
        [Number(name.slice(latencyPrefix.length).replace("+Inf", "Infinity")), value] as const,
    )
    .sort(([one], [other]) => one - other);
  const all = buckets.at(-1)?.[1] ?? 0;
  return all === 0 ? undefined : buckets.find(([, value]) => value >= all * share)?.[0];
}
