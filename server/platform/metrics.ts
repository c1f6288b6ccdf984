import { Counter, Gauge, Histogram } from "prom-client";

/** Seconds: from a cached answer to one that waits for the game. */
const answerBounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;
const gameBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const jobBounds = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900] as const;

interface Described<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

// Metrics belong to each process's context; the listener registers them.
const counter = <Label extends string = never>({ labels = [], ...own }: Described<Label>) =>
  new Counter({ ...own, labelNames: labels, registers: [] });

const gauge = <Label extends string = never>({ labels = [], ...own }: Described<Label>) =>
  new Gauge({ ...own, labelNames: labels, registers: [] });

const histogram = <Label extends string>({
  labels = [],
  bounds,
  ...own
}: Described<Label> & { readonly bounds: readonly number[] }) =>
  new Histogram({ ...own, labelNames: labels, buckets: [...bounds], registers: [] });

/**
 * All metrics of this process by name. Label values come from lists in the code: no player,
 * application, address or caller's text. `job` and `instance` are Prometheus' own labels.
 */
export const createMetrics = () => ({
  requests: histogram({
    name: "adjutant_http_request_duration_seconds",
    help: "Answers by method, route template and status. Of a stream: until its head; of a page: until it was taken.",
    labels: ["method", "route", "status"],
    bounds: answerBounds,
  }),
  tokenRequests: counter({
    name: "adjutant_token_requests_total",
    help: "Requests to the token endpoint by grant and error (none: tokens were issued).",
    labels: ["grant_type", "error"],
  }),
  signIns: counter({
    name: "adjutant_sign_ins_total",
    help: "Sign-ins by what proved who it is, and outcome: signed-in, second-step, or why not.",
    labels: ["method", "outcome"],
  }),
  consents: counter({
    name: "adjutant_consents_total",
    help: "Authorization requests that were decided: approved, denied, or approved as remembered.",
    labels: ["decision"],
  }),
  limiterCharges: counter({
    name: "adjutant_limiter_charges_total",
    help: "Calls charged to a limit, by policy and outcome (allowed, refused).",
    labels: ["policy", "outcome"],
  }),
  limiterFallbacks: counter({
    name: "adjutant_limiter_fallbacks_total",
    help: "Looks and charges that were counted in this process because Redis did not answer.",
  }),
  limiterShared: gauge({
    name: "adjutant_limiter_shared",
    help: "1 where all processes count together now.",
  }),
  cacheLookups: counter({
    name: "adjutant_cache_lookups_total",
    help: "Looks into a cache of this process, by outcome (hit, miss).",
    labels: ["cache", "outcome"],
  }),
  gameCalls: histogram({
    name: "adjutant_game_call_duration_seconds",
    help: "Calls to the game by outcome: ok, or the kind of error.",
    labels: ["outcome"],
    bounds: gameBounds,
  }),
  gameRows: counter({
    name: "adjutant_game_rows_total",
    help: "Rows of the game's lists by selection and outcome (read, unreadable). A list that is refused whole is one unreadable row.",
    labels: ["selection", "outcome"],
  }),
  vaultNewsPages: counter({
    name: "adjutant_vault_news_pages_total",
    help: "Pages of the vault's news in which payments were looked for, by outcome (understood; unknown: no line is worded as expected).",
    labels: ["outcome"],
  }),
  gameBreaker: gauge({
    name: "adjutant_game_breaker",
    help: "1 for the state that the breaker is in: closed, open, half-open.",
    labels: ["state"],
  }),
  gameCallsLeft: gauge({
    name: "adjutant_game_calls_left",
    help: "Calls that all processes together may still make within the last 60 seconds' limit (GAME_CALLS).",
  }),
  gameOwnersSpent: gauge({
    name: "adjutant_game_owners_spent",
    help: "Players with whose keys nothing can be asked now.",
  }),
  jobRuns: histogram({
    name: "adjutant_job_run_duration_seconds",
    help: "Runs of jobs in this process, by outcome (done, failed).",
    labels: ["job_name", "outcome"],
    bounds: jobBounds,
  }),
  jobDelay: counter({
    name: "adjutant_job_start_delay_seconds_total",
    help: "Seconds by which runs in this process began after their slots.",
  }),
  jobLate: gauge({
    name: "adjutant_job_late",
    help: "1 where the last three slots of a job passed without a run that ended well, in any process.",
    labels: ["job_name"],
  }),
  jobLag: gauge({
    name: "adjutant_job_lag_seconds",
    help: "Seconds since a run of the job ended well, in any process.",
    labels: ["job_name"],
  }),
  jobBacklog: gauge({
    name: "adjutant_job_backlog_items",
    help: "Items that the last run of the job left to the next ones.",
    labels: ["job_name"],
  }),
  sweeperBacklog: gauge({
    name: "adjutant_sweeper_backlog_rows",
    help: "Expired rows that the sweeper has not come to; counted up to 10,000 a table.",
  }),
  databaseUp: gauge({
    name: "adjutant_database_up",
    help: "1 where the database answered the last look.",
  }),
  hintsFailed: counter({
    name: "adjutant_hints_failed_total",
    help: "Messages to other processes (NOTIFY) that the database refused.",
  }),
  notifyQueue: gauge({
    name: "adjutant_notify_queue_ratio",
    help: "The part of the database's NOTIFY queue that is in use, from 0 to 1.",
  }),
  poolSize: gauge({
    name: "adjutant_database_pool_connections_max",
    help: "Connections that a pool may open.",
    labels: ["pool"],
  }),
  poolInUse: gauge({
    name: "adjutant_database_pool_connections_in_use",
    help: "Connections of a pool with something under way.",
    labels: ["pool"],
  }),
  poolWaiting: gauge({
    name: "adjutant_database_pool_waiting",
    help: "Statements and transactions that wait for a connection.",
    labels: ["pool"],
  }),
  poolRefused: counter({
    name: "adjutant_database_pool_refused_total",
    help: "Statements and transactions that were sent away because no connection was free in time.",
    labels: ["pool"],
  }),
  poolDeadlines: counter({
    name: "adjutant_database_pool_deadlines_total",
    help: "Connections that were destroyed because the database let a deadline pass.",
    labels: ["pool"],
  }),
  requestLogDropped: counter({
    name: "adjutant_request_log_dropped_total",
    help: "Lines of the request log that could not be written.",
  }),
  logPartitionsAhead: gauge({
    name: "adjutant_log_partitions_ahead_seconds",
    help: "For how long from now on a log has partitions.",
    labels: ["table"],
  }),
  logStrays: gauge({
    name: "adjutant_log_stray_rows",
    help: "Rows of an hour that a log has no partition for but the default one; counted up to 10,000.",
    labels: ["table"],
  }),
  eventSubscribers: gauge({
    name: "adjutant_event_subscribers",
    help: "Open streams of events, and calls that wait for one, in this process.",
    labels: ["kind"],
  }),
  eventInbox: gauge({
    name: "adjutant_event_inbox_events",
    help: "Events that have happened and have no number yet; counted up to 10,000.",
  }),
  eventInboxLag: gauge({
    name: "adjutant_event_inbox_lag_seconds",
    help: "How long the oldest of them waits.",
  }),
  webhookAttempts: counter({
    name: "adjutant_webhook_attempts_total",
    help: "Attempts to deliver a webhook message, by outcome.",
    labels: ["outcome"],
  }),
  webhooksWaiting: gauge({
    name: "adjutant_webhook_messages_waiting",
    help: "Messages that wait for endpoints that are switched on.",
  }),
  webhookLag: gauge({
    name: "adjutant_webhook_lag_seconds",
    help: "For how long the endpoint that is due longest has been due. Retries of an endpoint that fails are due later.",
  }),
  webhooksFailing: gauge({
    name: "adjutant_webhook_endpoints_failing",
    help: "Endpoints that are switched on and answered the last attempt with a failure.",
  }),
  chatMessages: gauge({
    name: "adjutant_chat_messages",
    help: "Messages that are not in the chat: waiting, or refused for good.",
    labels: ["state"],
  }),
  otherInstances: gauge({
    name: "adjutant_other_instances",
    help: "Other processes on the same database that were seen in the last seconds.",
  }),
  ready: gauge({
    name: "adjutant_ready",
    help: "1 where the process wants requests.",
  }),
  build: gauge({
    name: "adjutant_build_info",
    help: "Always 1; the label says the version.",
    labels: ["version"],
  }),
});

export type Metrics = ReturnType<typeof createMetrics>;

export interface CacheCounts {
  readonly hit: Counter.Internal;
  readonly miss: Counter.Internal;
}

export const cacheCounts = (
  { cacheLookups }: Pick<Metrics, "cacheLookups">,
  cache: string,
): CacheCounts => ({
  hit: cacheLookups.labels(cache, "hit"),
  miss: cacheLookups.labels(cache, "miss"),
});
