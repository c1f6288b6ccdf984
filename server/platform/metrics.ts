import { Counter, Histogram } from "prom-client";

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

// Each context has its own metrics, which the listener registers.
const counter = <Label extends string = never>({ labels = [], ...own }: Described<Label>) =>
  new Counter({ ...own, labelNames: labels, registers: [] });

const histogram = <Label extends string>({
  labels = [],
  bounds,
  ...own
}: Described<Label> & { readonly bounds: readonly number[] }) =>
  new Histogram({ ...own, labelNames: labels, buckets: [...bounds], registers: [] });

/**
 * Label values come from lists in the code, never from a player, application, address or caller.
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
  requestLogDropped: counter({
    name: "adjutant_request_log_dropped_total",
    help: "Lines of the request log that could not be written.",
  }),
  webhookAttempts: counter({
    name: "adjutant_webhook_attempts_total",
    help: "Attempts to deliver a webhook message, by outcome.",
    labels: ["outcome"],
  }),
});

export type Metrics = ReturnType<typeof createMetrics>;
